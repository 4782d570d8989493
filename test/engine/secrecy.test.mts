import { createServer } from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { listSearch, type ExecuteOptions } from '../helpers/engine/index.mts';
import { listen } from '../helpers/listen.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { useOperations } from './support/details.mts';

const { sandbox, run } = useOperations();
const WRONG = 'mx-very-secret-wrong-key';

/** Everything in a value that could be shown or stored, even non-enumerable parts, causes and stacks. */
const everything = (value: unknown) =>
	`${JSON.stringify(value)}\n${inspect(value, { depth: 30, showHidden: true, maxArrayLength: null })}`;

const generalOptions = { maxRetries: 0 };

const getRobot = async (
	options: Partial<ExecuteOptions> = {},
	id: string = sandbox.demo.products,
) => await run('robot', 'get', { robotId: locator(id), generalOptions }, options);

describe('the API key does not appear in anything that n8n stores or shows', () => {
	it('a password in the Base URL is rejected and not shown', async () => {
		const baseUrl = sandbox.baseUrl.replace('://', '://anna:geheim@');
		for (const credentials of [
			sandbox.credentials({ baseUrl }),
			sandbox.credentials({ baseUrl: baseUrl.replace('http:', 'ftp:') }),
		]) {
			const execution = await getRobot({ credentials });
			expect(execution.error?.message).toContain('Base URL');
			expect(everything(execution)).not.toContain('geheim');
		}
		expect(await sandbox.sent()).toEqual([]);
	});

	it.each([
		['an unknown key', { apiKey: WRONG }],
		['a key that is not a valid header', { apiKey: `${WRONG}\r\nx-more: 1` }],
		['an unresponsive server', { apiKey: WRONG, baseUrl: 'http://127.0.0.1:9/api/v1' }],
	])('in the error for %s', async (_, values) => {
		const credentials = sandbox.credentials(values);
		const execution = await getRobot({ credentials });
		expect(execution.error).toBeDefined();
		expect(everything(execution)).not.toContain(WRONG);
	});

	it('in the error for a failed list', async () => {
		const caught = await listSearch('searchRobots', {
			parameters: maxun('robot', 'get'),
			credentials: sandbox.credentials({ apiKey: WRONG }),
		}).catch((error: unknown) => error);
		expect(caught).toMatchObject({ message: expect.stringContaining('API key') });
		expect(everything(caught)).not.toContain(WRONG);
	});
});

it('the key is not sent to a redirect target', async () => {
	const seen: Array<string | undefined> = [];
	const elsewhere = createServer(({ headers }, response) => {
		seen.push(headers.authorization);
		response.end('{}');
	});
	const port = await listen(elsewhere);
	const location = `http://127.0.0.1:${port}/robots/x`;
	await sandbox.control.fault({ kind: 'status', status: 302, headers: { location }, body: '' });
	const { error } = await getRobot();
	elsewhere.close();
	expect(error).toBeDefined();
	expect(seen).toEqual([]);
});

it('an ID cannot lead to another endpoint', async () => {
	for (const id of ['../runs/active', 'a/b?c=d#e', '..', '.', '%2e%2e', 'ä b'])
		await getRobot({}, id);
	const paths = (await sandbox.control.requests()).map(({ path }) => path);
	for (const path of paths) expect(path.split('/').slice(0, 2)).toEqual(['', 'robots']);
	for (const path of paths) expect(path.split('/')).toHaveLength(3);
	expect(paths).toHaveLength(4);
});
