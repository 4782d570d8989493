import { expect, it } from 'vitest';
import type { Fault } from '../helpers/control.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { DEMO } from '../sandbox/index.mts';
import { describeForms } from './support/self-hosted.mts';

const sandbox = useSandbox();

const START = /^POST \/robots\/[^/]+\/runs$/;

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** The first search for a started run, after the list of earlier runs. */
const SEARCH = { kind: 'status', method: 'GET', path: '/runs$', skip: 1 } as const;

/** Responses from which nobody can tell whether a run has started. */
const UNCLEAR: Array<Partial<Fault>> = [
	{ status: 401 },
	{ status: 404 },
	{ kind: 'body', body: '<html>Please sign in</html>' },
];

describeForms(sandbox, (form, own) => {
	it('a search for a started run continues after a truncated list', async () => {
		await sandbox.control.settings({ runSeconds: 4 });
		const robotId = await newRobot(sandbox);
		const truncated = { kind: 'body', body: '{"runs":', contentType: 'application/json' } as const;
		await sandbox.control.fault({ ...SEARCH, ...truncated });
		const { items, error } = await own.runAndWait(robotId);
		expect(error).toBeUndefined();
		expect(items[0]?.[0]?.json).toMatchObject({ status: 'success', robotId });
		expect(await sandbox.count(START)).toBe(1);
	});

	it.each(UNCLEAR)('a run is found although its search first gets %j', async (fault) => {
		await sandbox.control.settings({ runSeconds: 4 });
		const robotId = await newRobot(sandbox);
		await sandbox.control.fault({ ...SEARCH, ...fault });
		const { items, error } = await own.runAndWait(robotId, {}, { node: RETRY });
		expect(error).toBeUndefined();
		expect(items[0]?.[0]?.json).toMatchObject({ status: 'success', robotId });
		expect(await sandbox.count(START)).toBe(1);
	});

	// As documented, the response contains the failed run, so there is no search.
	if (form === 'documented') return;

	it('Retry On Fail starts no second run if the search for a refused run fails', async () => {
		await sandbox.control.fault({ ...SEARCH, status: 401, times: 2 });
		const { error } = await own.runAndWait(DEMO.failing, {}, { node: RETRY });
		expect(error?.message).toBe(`A run of robot '${DEMO.failing}' may have started`);
		expect(await sandbox.count(START)).toBe(1);
	});

	it('a 404 for the runs of a new robot does not start a second run', async () => {
		await sandbox.control.settings({ runSeconds: 4 });
		await sandbox.control.fault({ ...SEARCH, status: 404 });
		const url = `${sandbox.siteUrl}/products`;
		const { error } = await own.run('web', 'scrape', { url, formats: ['text'] });
		expect(error).toBeUndefined();
		expect(await sandbox.count(START)).toBe(1);
	});
});
