import type { INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';
import { execute, executeAsTool, type ExecuteOptions } from '../../helpers/engine/index.mts';
import { maxun } from '../../helpers/parameters.mts';
import type { TestSandbox } from '../../helpers/sandbox.mts';
import { useSandbox } from '../../helpers/useSandbox.mts';
import type { SandboxOptions } from '../../sandbox/index.mts';

/** The result of a node that did not fail. */
export function succeeded<T extends { error?: unknown }>(result: T): T {
	expect(result.error).toBeUndefined();
	return result;
}

/** A sandbox for one test file, and the node's operations on it. */
export function useOperations(options: SandboxOptions = {}) {
	const sandbox = useSandbox(options);
	return { sandbox, ...operationsOn(sandbox) };
}

export function operationsOn(sandbox: TestSandbox) {
	async function run(
		resource: string,
		operation: string,
		parameters: INodeParameters = {},
		{ credentials = sandbox.credentials(), ...options }: Partial<ExecuteOptions> = {},
	) {
		const {
			items,
			error,
			hints,
			run: execution,
		} = await execute({
			parameters: maxun(resource, operation, parameters),
			credentials,
			...options,
		});
		const [rows = [], failed = []] = items;
		return {
			items,
			rows,
			json: rows.map(({ json }) => json),
			failed,
			error,
			hints: hints.map(({ message }) => message),
			execution,
		};
	}

	const succeed = async (...given: Parameters<typeof run>) => succeeded(await run(...given));

	/** Calls an operation as a tool, by default as an MCP client does. */
	async function call(
		resource: string,
		operation: string,
		parameters: INodeParameters,
		caller = '@n8n/n8n-nodes-langchain.mcpTrigger',
		credentials: object = sandbox.credentials(),
	) {
		const setup = {
			parameters: maxun(resource, operation, parameters),
			credentials: { ...credentials },
		};
		return (await executeAsTool(setup, {}, caller)).map(({ json }) => json);
	}

	return { run, succeed, call };
}
