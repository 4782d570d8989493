import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { DEMO } from './index.mts';
import { fieldsOf, SelfHostedClient } from '../helpers/client.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { closeServer, listen } from '../helpers/listen.mts';
import { deliveries, exchanges, type Exchange } from '../helpers/recordings.mts';
import { PATIENCE, until } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

// A real server responded to these requests. The sandbox responds in the same way.

const sandbox = useSandbox({
	settings: { selfHostedForm: 'observed', runSeconds: 0.05, selfHostedStepSeconds: 0.02 },
});

/** Exchanges that the sandbox can't repeat, and why. */
const OTHERS: Record<string, RegExp> = {
	'a run was active': /^(run-concurrent-3|b4[2-7]-.*)$/,
	'the run is older':
		/^(f07-run|run-(fail-scrape-get|get-aborted|get-scheduled-scrape)|sdk-abort-ok)$/,
	'a run failed on a page of that server': /^(c18-search-execute|c19-search-run|f28-.*)$/,
	'the message is that of a browser': /^(a21-create-extract-refused|c26-llm-nourl)$/,
};
const isRepeated = ({ path, name }: Exchange) =>
	path.startsWith('/api/') && !Object.values(OTHERS).some((pattern) => pattern.test(name));

/** In the order of the recordings. */
const repeated = exchanges.filter(isRepeated).sort((a, b) => (a.name < b.name ? -1 : 1));

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
const NOBODY = '00000000-0000-4000-8000-000000000000';

const ids = new Map([[NOBODY, NOBODY]]);

const here = (value: unknown): unknown =>
	JSON.parse(
		(JSON.stringify(value) ?? 'null')
			.replaceAll('http://127.0.0.1:8104/article', `${sandbox.siteUrl}/articles/oiling-a-desk`)
			.replaceAll('http://127.0.0.1:8104/', `${sandbox.siteUrl}/`)
			.replaceAll('ul.list > li.item', 'li.product')
			.replace(UUID, (id) => ids.get(id) ?? id),
	);

function idOf(answer: unknown): string | undefined {
	const [found] =
		/(?<="runId":"|"recording_meta":\{"id":")[^"]+/.exec(JSON.stringify(answer)) ?? [];
	return found;
}

/** Compares the fields' names and types, down to this depth. */
function expectAlike(own: unknown, theirs: unknown, depth: number): void {
	if (own === null || theirs === null) return;
	expect(typeof own).toBe(typeof theirs);
	expect(Array.isArray(own)).toBe(Array.isArray(theirs));
	if (depth === 0 || typeof theirs !== 'object') return;
	if (Array.isArray(own) && Array.isArray(theirs)) {
		if (own.length > 0 && theirs.length > 0) expectAlike(own[0], theirs[0], depth);
		return;
	}
	const [fields, expected] = [fieldsOf(own), fieldsOf(theirs)];
	expect(Object.keys(fields).sort()).toEqual(Object.keys(expected).sort());
	for (const [name, value] of Object.entries(fields)) expectAlike(value, expected[name], depth - 1);
}

async function send({ status, method, path, body }: Exchange) {
	const callers = new Map([
		[401, new SelfHostedClient(`${sandbox.url}/api`)],
		[403, SelfHostedClient.withKey(sandbox, 'wrong')],
	]);
	for (const [robot = ''] of path.matchAll(/(?<=robots\/)[\da-f]{8}-[\da-f-]{27}/g)) {
		const other = path.includes('f2e9bc87') ? DEMO.failing : DEMO.article;
		if (!ids.has(robot)) ids.set(robot, other);
	}
	const to = String(here(path)).replace(/^\/api/, '');
	return await (callers.get(status) ?? sandbox.server).send(method, to, body && here(body));
}

it.each(repeated)('responds like a real server: $name: $method $path', async (exchange) => {
	const selfHostedDatabaseDown = exchange.name === 'db-down-robots';
	await sandbox.control.settings({ selfHostedDatabaseDown });
	const { status, json, text } = await send(exchange);
	expect(status).toBe(exchange.status);
	if (status >= 400) return expect(json ?? text).toEqual(here(exchange.answer));
	expectAlike(json, exchange.answer, exchange.path.includes('/sdk/') ? 2 : 3);
	const [id, own] = [idOf(exchange.answer), idOf(json)];
	if (exchange.method === 'POST' && id && own) ids.set(id, own);
});

it('the sandbox sends deliveries like those of a real server', async () => {
	const bodies: Array<Record<string, unknown>> = [];
	const receiver = createServer((request, response) => {
		void json(request).then((body) => {
			bodies.push(fieldsOf(body));
			response.end();
		});
	});
	const url = `http://127.0.0.1:${await listen(receiver)}/hook`;
	const events = ['run_completed', 'run_failed'];
	const webhooks = [{ id: 'hook', url, events, active: true, retryDelay: 0 }];
	const robotId = await newRobot(sandbox, { formats: ['markdown', 'html', 'screenshot-visible'] });
	const robots = [robotId, DEMO.failing];
	for (const robotId of robots) {
		await sandbox.server.put(`/sdk/robots/${robotId}`, { webhooks });
		await sandbox.server.post(`/robots/${robotId}/runs`);
	}
	const recorded = deliveries.filter(({ body }) => events.includes(String(body.event_type)));
	const received = await until('the deliveries', PATIENCE, () =>
		bodies.length === recorded.length ? bodies : undefined,
	);
	for (const [index, body] of received.entries()) {
		const expected = fieldsOf(recorded[index]?.body);
		expectAlike(body, expected, 3);
		expect(body.event_type).toBe(expected.event_type);
	}
	await closeServer(receiver);
});
