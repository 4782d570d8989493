import type { INodeParameters } from 'n8n-workflow';
import { afterEach, describe, expect, it } from 'vitest';
import { QUICK } from './cases/index.mts';
import { lineOf } from '../sandbox/request-log.mts';
import type { ExecuteOptions } from '../helpers/engine/index.mts';
import { removeTemporary, robotsLeft } from '../helpers/fixtures.mts';
import { succeeded, useOperations } from './support/details.mts';

const { sandbox, run } = useOperations(QUICK);
afterEach(async () => await removeTemporary(sandbox));

/** Long enough to build an agent. */
const BRIEFLY = { timeoutMinutes: 6 / 60 };

/** An operation that creates a robot, and an operation that creates an agent. */
const OPERATIONS: Array<[operation: string, parameters: () => INodeParameters]> = [
	['scrape', () => ({ url: `${sandbox.siteUrl}/products`, formats: ['markdown'] })],
	['extract', () => ({ prompt: 'Get the products', url: `${sandbox.siteUrl}/products` })],
];

const web = async (
	operation: string,
	parameters: INodeParameters,
	options: Partial<ExecuteOptions> = {},
) => await run('web', operation, parameters, options);

/** The methods and paths of all requests, each once. */
const linesSent = async () => new Set((await sandbox.sent()).map(lineOf));

describe.each(OPERATIONS)('%s does not leave a robot', (operation, parameters) => {
	it('the robot is deleted after a failed run', async () => {
		await sandbox.control.settings({ slots: 0 });
		const failing = web(operation, parameters());
		await failQueuedRun();
		const { error } = await failing;
		expect(error?.message).toMatch(/^Run \S+ for \S+ ended with status failed/);
		expect(error?.description).toContain('The page is gone');
		expect(await robotsLeft(sandbox)).toEqual([]);
	});

	it('the robot is deleted after a timeout, and the run is canceled', async () => {
		await sandbox.control.settings({ slots: 0 });
		const { error } = await web(operation, { ...parameters(), options: BRIEFLY });
		expect(error?.message).toMatch(/did not end within \S+ minutes \(status: queued\)$/);
		expect(error?.description).not.toMatch(/continues in Maxun|Run: Get/);
		expect(await robotsLeft(sandbox)).toEqual([]);
		expect([...(await linesSent())].some((line) => /^POST .*\/cancel$/.test(line))).toBe(true);
	});

	it('a robot is kept if the options say so', async () => {
		succeeded(await web(operation, { ...parameters(), options: { keepRobot: true } }));
		const { list } = await sandbox.owner.get('/robots?q=n8n');
		const name: unknown = expect.stringMatching(new RegExp(`^n8n ${operation} `));
		expect(list).toEqual([expect.objectContaining({ name })]);
		expect([...(await linesSent())].some((line) => line.startsWith('DELETE'))).toBe(false);
	});
});

it('scrape returns a failed run if the options say so', async () => {
	const url = `${sandbox.siteUrl}/missing`;
	const parameters = { url, formats: ['text'], options: { onFailure: 'return' } };
	const { json } = succeeded(await web('scrape', parameters));
	expect(json).toEqual([expect.objectContaining({ url, status: 'failed' })]);
	expect(await robotsLeft(sandbox)).toEqual([]);
});

it("Keep Robot with Retry On Fail keeps only the last attempt's robot", async () => {
	const options = { keepRobot: true, onFailure: 'error' };
	const { error } = await web(
		'scrape',
		{ url: `${sandbox.siteUrl}/missing`, formats: ['text'], options },
		{ node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } },
	);
	expect(error?.message).toMatch(/ended with status failed/);
	expect(await sandbox.count(/^POST \/robots\/scrape$/)).toBe(3);
	expect(await robotsLeft(sandbox)).toHaveLength(1);
});

it('an agent that cannot be built is deleted, and the error says why', async () => {
	const { error } = await web('extract', { prompt: 'Something impossible' });
	expect(error?.message).toMatch(/^Maxun could not build agent/);
	expect(error?.description).toContain('could not work out');
	expect(await robotsLeft(sandbox)).toEqual([]);
});

it('if the plan does not allow more agents, an agent waits until a failed agent is deleted', async () => {
	await sandbox.control.settings({ agentBuildSeconds: 2 });
	const refusal = { error: 'Your plan allows 1 agent', skip: 1, times: 2 };
	await sandbox.respond(403, 'POST /agents$', refusal);
	const { json } = await web(
		'extract',
		{ prompt: 'Something impossible' },
		{ items: [{}, {}], node: { onError: 'continueRegularOutput' } },
	);
	const failed: unknown = expect.stringMatching(/^Maxun could not build agent/);
	expect(json.map(({ error }) => error)).toEqual([failed, failed]);
	expect(await robotsLeft(sandbox)).toEqual([]);
});

it('a deletion that is rejected while the run is ending is retried', async () => {
	await sandbox.respond(409, 'DELETE', { times: 2 });
	const url = `${sandbox.siteUrl}/products`;
	const { hints } = succeeded(await web('scrape', { url, formats: ['text'] }));
	expect(hints).toEqual([]);
	expect(await robotsLeft(sandbox)).toEqual([]);
});

/** The item's error if this is the response to creating its robot. */
async function creationFault(status: number, body: string | object) {
	await sandbox.respond(status, 'POST ^/robots/scrape$', { body });
	const url = `${sandbox.siteUrl}/products`;
	return (await web('scrape', { url, formats: ['text'] })).error;
}

it('the error says what may remain if no robot appears after a lost response', async () => {
	const error = await creationFault(504, '<html>Gateway Timeout</html>');
	expect(error).toMatchObject({ httpCode: '504' });
	expect(error?.description).toMatch(
		/A robot named 'n8n scrape until \S+ \w{10}' may remain in Maxun/,
	);
	const lines = (await sandbox.sent()).map(lineOf);
	expect(lines.filter((line) => line.startsWith('GET /robots?'))).toHaveLength(3);
});

it('a creation that the service rejects does not cause a search', async () => {
	const error = await creationFault(400, { success: false, error: 'Something is wrong' });
	expect(error).toMatchObject({ httpCode: '400' });
	expect(await linesSent()).toEqual(new Set(['POST /robots/scrape']));
});

async function failQueuedRun(): Promise<void> {
	const fields = { status: 'failed', error: 'The page is gone' };
	await sandbox.control.patchRun(await sandbox.owner.startedRun(), fields);
}
