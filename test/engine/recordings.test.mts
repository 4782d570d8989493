import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { locator } from '../helpers/parameters.mts';
import { exchanges, type Exchange } from '../helpers/recordings.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { selfHostedOn } from './support/self-hosted.mts';

// What the nodes read from a real server's responses to GET. test/unit/response.test.mts reads the words of all refusals,
// and test/sandbox/recordings.test.mts shows that the sandbox responds alike to most requests.

const sandbox = useSandbox();
const own = selfHostedOn(sandbox);

type Read = [operation: string, parameters: INodeParameters, expected: IDataObject[]];

/** None if the value isn't an object. */
const fieldsOf = (value: unknown) => z.record(z.unknown()).catch({}).parse(value);
const answerOf = ({ answer }: Exchange) => fieldsOf(answer);
const metaOf = (stored: unknown) => fieldsOf(fieldsOf(stored).recording_meta);
const robotsOf = (list: unknown, idOf: (entry: unknown) => unknown): Read => [
	'robot: getAll',
	{ returnAll: true },
	[list].flat().map((entry) => ({ id: String(idOf(entry)) })),
];
const robotOf = (robotId: string, { id, name }: Record<string, unknown>): Read => [
	'robot: get',
	{ robotId: locator(robotId) },
	[{ id: String(id), name: String(name) }],
];

/** What a route's recordings contain. `{id}` stands for an ID. */
const ROUTES: Record<string, (exchange: Exchange, robot: string, run: string) => Read> = {
	'/sdk/status': (given) => ['account: get', {}, [JSON.parse(JSON.stringify(given.answer))]],
	'/sdk/robots': (given) => robotsOf(answerOf(given).data, (entry) => metaOf(entry).id),
	'/robots': (given) =>
		robotsOf(fieldsOf(answerOf(given).robots).items, (entry) => fieldsOf(entry).id),
	'/sdk/robots/{id}': (given, robot) => robotOf(robot, metaOf(answerOf(given).data)),
	'/robots/{id}': (given, robot) => robotOf(robot, fieldsOf(answerOf(given).robot)),
	'/robots/{id}/runs': (given, robot) => [
		'run: getAll',
		{ robotId: locator(robot), returnAll: true },
		[fieldsOf(answerOf(given).runs).items]
			.flat()
			.map((entry) => ({ id: String(fieldsOf(entry).runId) })),
	],
	'/robots/{id}/runs/{id}': (given, robot, run) => [
		'run: get',
		{ robotId: locator(robot), runId: locator(run), output: 'raw' },
		[{ id: run, status: String(fieldsOf(answerOf(given).run).status) }],
	],
};

/** Unit tests read the records of runs. The nodes use the documented list of runs, and the last route rejects API keys. */
const OTHERS = [
	'/robots/{id}/schedule',
	'/sdk/robots/{id}/runs',
	'/sdk/robots/{id}/runs/{id}',
	'/webhook/list/{id}',
];

const read = exchanges
	.filter(({ method }) => method === 'GET')
	.map((exchange) => {
		const path = exchange.path.replace(/^\/api|\?.*$/g, '');
		return {
			...exchange,
			path,
			route: path.replace(/(?<=\/(?:robots|runs|list)\/)[^/]+/g, '{id}'),
		};
	});

it('all routes are read', () => {
	const routes = [...Object.keys(ROUTES), ...OTHERS];
	expect([...new Set(read.map(({ route }) => route))].sort()).toEqual(routes.sort());
});

const recordings = read.flatMap((exchange) => {
	const [, robot = '', run = ''] =
		/\/robots\/([^/]+)(?:\/runs\/([^/]+))?/.exec(exchange.path) ?? [];
	const expected = ROUTES[exchange.route]?.(exchange, robot, run);
	return expected ? { ...exchange, read: expected } : [];
});

it.each(recordings)('$name: GET $path', async ({ path, status, answer, read }) => {
	const [name, parameters, expected] = read;
	const [resource = '', operation = ''] = name.split(': ');
	const selfHostedSdk = path.startsWith('/sdk/') ? 'observed' : 'none';
	await sandbox.control.settings({ selfHostedForm: 'observed', selfHostedSdk });
	const body = typeof answer === 'string' ? answer : JSON.parse(JSON.stringify(answer));
	await sandbox.control.fault({ path: `^${path}$`, kind: 'status', status, body });
	const given = { ...parameters, generalOptions: { maxRetries: 0 } };
	const { json, error } = await own.run(resource, operation, given);
	const byId = (items: IDataObject[]) =>
		items.sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
	expect(JSON.stringify(json)).not.toContain('model-key');
	if (status === 200) return expect(byId(json)).toMatchObject(byId(expected));
	expect(error?.message).toEqual(expect.any(String));
	const text = JSON.stringify(error);
	expect(text).not.toContain('<pre>');
	// The node explains other statuses itself, and may add a sentence.
	const words = fieldsOf(answer).message ?? fieldsOf(answer).error ?? '';
	if ([404, 500].includes(status))
		expect(text).toContain(JSON.stringify(words).slice(1, -1).replace(/\.$/, ''));
});
