import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';
import { KEYS, TEAM_ID } from '../../sandbox/index.mts';
import { execute, type RecordedRequest } from '../harness/index.mts';
import { fromItem, locator, maxun } from './parameters.mts';
import type { World } from './sandbox.mts';

/** Method, path, query and body of a request, without what differs from call to call. */
export interface Wire {
	method: string;
	path: string;
	query?: Record<string, string>;
	body?: unknown;
}

/** Whose robots an operation works on. */
export interface Scope {
	teamId: string;
}

/** One piece of work for an operation: its parameters, and what they must come to. */
export interface Work {
	parameters: INodeParameters;
	requests: Wire[];
	/** Checks the items that the work gave. */
	check: (items: IDataObject[]) => Promise<void> | void;
}

export interface OperationCase {
	resource: string;
	operation: string;
	/** Makes what one piece of work needs, in the given scope. */
	prepare: (world: World, scope: Scope) => Promise<Work> | Work;
}

const wireOf = ({ method, path, query, body }: RecordedRequest): Wire => ({
	method,
	path,
	query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
	body: isEmpty(body) ? null : body,
});

/** Some requests have an optional body: none and an empty object say the same. */
const isEmpty = (body: unknown) =>
	body === undefined || body === null || JSON.stringify(body) === '{}';

const complete = ({ method, path, query = {}, body = null }: Wire): Wire => ({
	method,
	path,
	query,
	body,
});

const jsonOf = (items: INodeExecutionData[] = []) => items.map(({ json }) => json);

/** What n8n itself refuses to send twice with other headers: who is asking, and for which team. */
function expectIdentity(requests: RecordedRequest[], teamId?: string): void {
	for (const { headers, body, path } of requests) {
		expect(headers.authorization, path).toBe(`Bearer ${KEYS.owner}`);
		expect(headers['x-team-id'], path).toBe(teamId);
		expect(headers['x-api-key'], path).toBeUndefined();
		if (!isEmpty(body)) expect(headers['content-type'], path).toMatch(/^application\/json\b/);
	}
}

/** Everything that holds for every operation, against the requests and items that its table row asks for. */
export function describeOperation(world: World, operation: OperationCase): void {
	const { resource, operation: value, prepare } = operation;
	const personal: Scope = { teamId: '' };
	const asNode = (parameters: INodeParameters) => maxun(resource, value, parameters);

	describe(`${resource}: ${value}`, () => {
		test('sends exactly its requests and gives their answer', async () => {
			const { parameters, requests, check } = await prepare(world, personal);
			const { items, error } = await execute({
				parameters: asNode(parameters),
				credentials: world.credentials(),
			});
			expect(error).toBeUndefined();
			const sent = await world.sent();
			expect(sent.map(wireOf)).toEqual(requests.map(complete));
			expectIdentity(sent);
			await check(jsonOf(items[0]));
		});

		test("acts for the credential's team", async () => {
			const { parameters, check } = await prepare(world, { teamId: TEAM_ID });
			const { items, error } = await execute({
				parameters: asNode(parameters),
				credentials: world.credentials({ teamId: TEAM_ID }),
			});
			expect(error).toBeUndefined();
			expectIdentity(await world.sent(), TEAM_ID);
			await check(jsonOf(items[0]));
		});

		test("acts for the node's own team instead of the credential's", async () => {
			const { parameters, check } = await prepare(world, { teamId: TEAM_ID });
			const options = isObject(parameters.options) ? parameters.options : {};
			const { items, error } = await execute({
				parameters: asNode({ ...parameters, options: { ...options, teamId: locator(TEAM_ID) } }),
				credentials: world.credentials({ teamId: 'a-team-that-does-not-exist' }),
			});
			expect(error).toBeUndefined();
			expectIdentity(await world.sent(), TEAM_ID);
			await check(jsonOf(items[0]));
		});

		test('pairs every item with its own input', async () => {
			const works = [await prepare(world, personal), await prepare(world, personal)];
			const { items, error } = await execute({
				parameters: asNode(fromItem(works[0]?.parameters ?? {})),
				items: works.map(({ parameters }) => ({ parameters })),
				credentials: world.credentials(),
			});
			expect(error).toBeUndefined();
			const sources = items[0]?.map(pairedIndex) ?? [];
			expect(sources).toEqual([...sources].sort());
			for (const [index, { check }] of works.entries()) {
				await check(jsonOf(items[0]?.filter((item) => pairedIndex(item) === index)));
			}
		});

		test('leaves what was refused at the error output, paired', async () => {
			const works = [await prepare(world, personal), await prepare(world, personal)];
			await world.control.fault({
				kind: 'status',
				status: 400,
				body: { success: false, error: 'The field "x" is not right' },
			});
			const { items, error } = await execute({
				parameters: asNode(fromItem(works[0]?.parameters ?? {})),
				items: works.map(({ parameters }) => ({ parameters })),
				credentials: world.credentials(),
				node: { onError: 'continueErrorOutput' },
			});
			expect(error).toBeUndefined();
			const [succeeded = [], failed = []] = items;
			expect(failed).toHaveLength(1);
			const [refused] = failed.map(pairedIndex);
			expect(failed[0]?.json).toMatchObject({ error: expect.any(String) });
			expect(String(failed[0]?.json.details)).toContain('The field "x" is not right');
			expect(succeeded.map(pairedIndex)).not.toContain(refused);
			const other = works[refused === 0 ? 1 : 0];
			await other?.check(jsonOf(succeeded));
		});

		test('says what was refused, and for which item', async () => {
			const { parameters } = await prepare(world, personal);
			await world.control.fault({
				kind: 'status',
				status: 400,
				body: { success: false, error: 'The field "x" is not right' },
			});
			const { error, items } = await execute({
				parameters: asNode(parameters),
				credentials: world.credentials(),
			});
			expect(items).toEqual([]);
			expect(error).toMatchObject({
				name: 'NodeApiError',
				httpCode: '400',
				context: { itemIndex: 0 },
			});
			expect(error?.description).toContain('The field "x" is not right');
			expect(await world.sent()).toHaveLength(1);
		});
	});
}

/** Index of the input item that an output item comes from; -1 where it has no pairing. */
export function pairedIndex({ pairedItem }: INodeExecutionData): number {
	if (typeof pairedItem === 'number') return pairedItem;
	const [only, ...others] = [pairedItem ?? []].flat();
	return only === undefined || others.length > 0 ? -1 : only.item;
}

const isObject = (value: unknown): value is INodeParameters =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
