import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { TEAM_ID } from '../../sandbox/index.mts';
import { execute, type ExecuteOptions } from '../../helpers/engine/index.mts';
import { memoryFile } from '../../helpers/files.mts';
import { fromItem, locator, maxun } from '../../helpers/parameters.mts';
import type { TestSandbox } from '../../helpers/sandbox.mts';
import { expectIdentity, expectRequests, type Wire } from './wire.mts';

export interface Scope {
	teamId: string;
}

/** An operation's test: its parameters, requests and output. */
export interface Work {
	parameters: INodeParameters;
	/** In their paths, `{1}`, `{2}` … stand for IDs that the service returns in the meantime. See `wireOf`. */
	requests: Wire[];
	file?: { content: Buffer; fileName: string; mimeType: string };
	check: (items: IDataObject[]) => Promise<void> | void;
}

export interface OperationCase {
	resource: string;
	operation: string;
	/** The kind of its items, if other operations return the same. These operations share one schema. */
	gives?: 'robot' | 'run' | 'result';
	/** Creates what the test needs, in this scope. */
	prepare: (sandbox: TestSandbox, scope: Scope) => Promise<Work> | Work;
}

type Names = [resource: string, operation: string, gives?: OperationCase['gives']];

export const operationCase = (
	[resource, operation, gives]: Names,
	prepare: OperationCase['prepare'],
): OperationCase => ({ resource, operation, ...(gives && { gives }), prepare });

const jsonOf = (items: INodeExecutionData[] = []) => items.map(({ json }) => json);

/** The tests that apply to every operation, with the requests and items of its case. */
export function describeOperation(sandbox: TestSandbox, operation: OperationCase): void {
	const { resource, operation: value, prepare } = operation;
	const personal: Scope = { teamId: '' };
	const attempt = async (
		works: Work[],
		parameters: INodeParameters = works[0]?.parameters ?? {},
		options: Partial<ExecuteOptions> = {},
	) =>
		await execute({
			parameters: maxun(resource, value, parameters),
			input: inputOf(works),
			credentials: sandbox.credentials(),
			...options,
		});
	const reject = async () => {
		const body = { success: false, error: 'The field "x" is not right' };
		await sandbox.control.fault({ kind: 'status', status: 400, body });
	};

	describe(`${resource}: ${value}`, () => {
		it('the operation sends exactly its requests and returns their data', async () => {
			const work = await prepare(sandbox, personal);
			const { items, error } = await attempt([work]);
			expect(error).toBeUndefined();
			const sent = await sandbox.sent();
			expectRequests(sent, work.requests);
			expectIdentity(sent);
			await work.check(jsonOf(items[0]));
		});

		it("the operation acts for the node's own team instead of the credential's", async () => {
			const work = await prepare(sandbox, { teamId: TEAM_ID });
			const parameters = { ...work.parameters, generalOptions: { teamId: locator(TEAM_ID) } };
			const credentials = sandbox.credentials({ teamId: 'a-team-that-does-not-exist' });
			const { items, error } = await attempt([work], parameters, { credentials });
			expect(error).toBeUndefined();
			expectIdentity(await sandbox.sent(), TEAM_ID);
			await work.check(jsonOf(items[0]));
		});

		it('a rejected item reaches the error output, paired', async () => {
			const works = [await prepare(sandbox, personal), await prepare(sandbox, personal)];
			await reject();
			const { items, error } = await attempt(works, fromItem(works[0]?.parameters ?? {}), {
				node: { onError: 'continueErrorOutput' },
			});
			expect(error).toBeUndefined();
			const [succeeded = [], failed = []] = items;
			expect(failed).toHaveLength(1);
			const [refused] = failed.map(pairedIndex);
			expect(failed[0]?.json).toMatchObject({ error: expect.any(String) });
			expect(String(failed[0]?.json.message)).toContain('The field "x" is not right');
			const other = refused === 0 ? 1 : 0;
			expect(new Set(succeeded.map(pairedIndex))).toEqual(new Set([other]));
			await works[other]?.check(jsonOf(succeeded));
		});

		it('the error says what was rejected, and for which item', async () => {
			const work = await prepare(sandbox, personal);
			await reject();
			const { error, items } = await attempt([work]);
			expect(items).toEqual([]);
			expect(error).toMatchObject({
				name: 'NodeApiError',
				httpCode: '400',
				context: { itemIndex: 0 },
			});
			expect(error?.description).toContain('The field "x" is not right');
			expect(await sandbox.sent()).toHaveLength(1);
		});
	});
}

/** A read: one request, whose data is the output. @param path with the query */
export function reading(
	sandbox: TestSandbox,
	scope: Scope,
	path: string,
	parameters: INodeParameters,
): Work {
	const [route = '', query] = path.split('?');
	return {
		parameters,
		requests: [
			{ method: 'GET', path: route, query: Object.fromEntries(new URLSearchParams(query)) },
		],
		check: async (items) => {
			const { body } = await sandbox.client(scope).get(path);
			expect(items).toEqual([body.data].flat());
		},
	};
}

/** One request, and one item with these fields. */
export const requesting = (parameters: INodeParameters, request: Wire, fields: object): Work => ({
	parameters,
	requests: [request],
	check: (items) => expect(one(items)).toMatchObject(fields),
});

/** A deletion: one request, after which its path leads to nothing. */
export const deleting = (
	sandbox: TestSandbox,
	scope: Scope,
	path: string,
	{ id, ...parameters }: INodeParameters & { id: string },
): Work => ({
	parameters,
	requests: [{ method: 'DELETE', path }],
	check: async (items) => {
		expect(one(items)).toEqual({ id, deleted: true });
		const { status, body } = await sandbox.client(scope).get(path);
		expect(status === 404 ? null : body.data).toBeNull();
	},
});

export const inputOf = (works: Work[]): INodeExecutionData[] =>
	works.map(({ parameters, file }) => ({
		json: { parameters },
		...(file && { binary: { data: memoryFile(file.content, file.fileName, file.mimeType) } }),
	}));

export function one(items: IDataObject[]): IDataObject {
	expect(items).toHaveLength(1);
	return items[0] ?? {};
}

/** The index of an output item's input item, or -1 without pairing. */
export function pairedIndex({ pairedItem }: INodeExecutionData): number {
	if (typeof pairedItem === 'number') return pairedItem;
	const [only, ...others] = [pairedItem ?? []].flat();
	return only === undefined || others.length > 0 ? -1 : only.item;
}
