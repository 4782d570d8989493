import { describe, expect, it } from 'vitest';
import type { FaultFields as Fault } from '../sandbox/faults.mts';
import type { ExecuteOptions } from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { succeeded, useOperations } from './support/details.mts';

const { sandbox, run } = useOperations();

const START = { method: 'POST', path: '/runs$' };
/** Loses the response to a start that Maxun has processed. */
const lose = async (fault: Partial<Fault> = {}) =>
	await sandbox.control.fault({ ...START, kind: 'status', status: 504, before: false, ...fault });

const runAndWait = async (robotIds: string[], node: ExecuteOptions['node'] = {}) => {
	const parameters = { output: 'simplified', robotId: locator('={{ $json.robotId }}') };
	const items = robotIds.map((robotId) => ({ robotId }));
	return await run('run', 'runAndWait', parameters, { items, node });
};

const runsOf = async (robotId: string) =>
	(await sandbox.owner.get(`/robots/${robotId}/runs`)).list.map(({ id }) => id);

const PAGE = '<html><body>Please sign in</body></html>';

/** Responses that don't show whether Maxun has processed the request. The unit tests of faults cover the others. */
const UNCLEAR: Array<[string, Partial<Fault>]> = [
	['a 504 from a gateway', { body: '<h1>Gateway Timeout</h1>' }],
	['a 500', { status: 500 }],
	['a cut connection', { kind: 'reset' }],
	['a page of a proxy', { kind: 'body', status: 200, body: PAGE, contentType: 'text/html' }],
	['a redirect', { status: 302, headers: { location: 'https://login.example.com/' }, body: '' }],
	['a response without an ID', { kind: 'body', status: 202, body: { success: true } }],
];

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

describe("a temporary robot's run whose start is not answered", () => {
	const scrape = async () => {
		const parameters = { url: `${sandbox.siteUrl}/products`, formats: ['markdown'] };
		return await run('web', 'scrape', parameters, { node: RETRY });
	};

	const lost = ['/runs', '/robots/scrape'].flatMap((path) =>
		UNCLEAR.map(([what, fault]) => ({ what, path, fault: { ...fault, path: `${path}$` } })),
	);

	it.each(lost)('is found after $what from POST $path, and returned', async ({ fault }) => {
		await lose(fault);
		expect(succeeded(await scrape()).items[0]).toHaveLength(1);
		expect(await sandbox.starts()).toBe(1);
		expect(await sandbox.count(/^POST \/robots\/scrape$/)).toBe(1);
		expect(await sandbox.count(/^DELETE /)).toBe(1);
	});
});

describe("a shared robot's run whose start is not answered", () => {
	it.each(UNCLEAR)(
		'is mentioned in the error after %s, and does not start again',
		async (_, fault) => {
			const robotId = await newRobot(sandbox);
			await lose(fault);
			const { error } = await runAndWait([robotId], RETRY);
			expect(error?.message).toBe(`A run of robot '${robotId}' may have started`);
			const [runId] = await runsOf(robotId);
			expect(error?.description).toContain(`somebody else may have started them: ${runId}`);
			expect(await sandbox.starts()).toBe(1);
		},
	);

	it('is also mentioned for an agent and for a start without waiting', async () => {
		const agentId = await newRobot(sandbox, { type: 'agent', prompt: 'Products' });
		await lose();
		const { error } = await run('agent', 'start', { agentId: locator(agentId) });
		const [runId] = await runsOf(agentId);
		expect(error?.description).toContain(runId);
	});

	it("is not mistaken for another item's run", async () => {
		const robotId = await newRobot(sandbox);
		await lose({ skip: 1 });
		const { json } = await runAndWait([robotId, robotId, robotId], {
			onError: 'continueRegularOutput',
		});
		const ids = json.flatMap(({ id }) => id ?? []);
		expect(ids).toHaveLength(2);
		expect(new Set(ids).size).toBe(2);
		expect(await sandbox.starts()).toBe(3);
	});

	it("is not mistaken for another client's run", async () => {
		const robotId = await newRobot(sandbox);
		await sandbox.owner.start(robotId);
		await lose({ before: true });
		const { error } = await runAndWait([robotId]);
		const [foreign] = await runsOf(robotId);
		expect(error?.description).toContain(`somebody else may have started them: ${foreign}`);
	});

	it('is reported with its robot and time if Maxun does not have the run', async () => {
		const robotId = await newRobot(sandbox);
		await sandbox.control.runs({ robotId }); // an earlier run
		await lose({ before: true });
		const since = new Date().toISOString().slice(0, 13);
		const { error } = await runAndWait([robotId]);
		expect(error?.message).toBe(`A run of robot '${robotId}' may have started`);
		expect(error?.description).toContain(`Check the runs since ${since}`);
		expect(error?.description).toContain('None of the latest runs matches this request');
		expect(error).toMatchObject({ httpCode: '504' });
		expect(await sandbox.starts()).toBe(1);
	});
});

it.each([402, 404])(
	'a start that Maxun rejects with status %i does not cause a search',
	async (status) => {
		const robotId = await newRobot(sandbox);
		await lose({ before: true, status });
		const { error } = await runAndWait([robotId]);
		expect(error).toMatchObject({ httpCode: String(status) });
		expect(await sandbox.lines()).toEqual([`POST /robots/${robotId}/runs`]);
	},
);
