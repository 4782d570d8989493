import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe } from 'vitest';
import { DEMO } from '../../sandbox/index.mts';
import type { ExecuteOptions } from '../../helpers/engine/index.mts';
import { locator } from '../../helpers/parameters.mts';
import type { TestSandbox } from '../../helpers/sandbox.mts';
import { operationsOn } from './details.mts';

export const FORMS = ['documented', 'observed'] as const;
export type Form = (typeof FORMS)[number];

export const NO_PAUSE: INodeParameters = { delayBeforeStart: 0 };

type More = [parameters?: INodeParameters, options?: Partial<ExecuteOptions>];

/** The nodes' operations on a self-hosted server. */
export function selfHostedOn(sandbox: TestSandbox) {
	const operations = operationsOn(sandbox);
	type Call = [resource: string, operation: string, ...More];

	const on = (...[resource, operation, parameters, options]: Call): Call => [
		resource,
		operation,
		{ server: 'selfHosted', ...parameters },
		{ credentials: sandbox.serverCredentials(), ...options },
	];
	const run = async (...call: Call) => await operations.run(...on(...call));
	const succeed = async (...call: Call): Promise<IDataObject[]> =>
		(await operations.succeed(...on(...call))).json;

	const runAndWait = async (robotId: string = DEMO.products, ...[parameters, options]: More) => {
		const given = { ...NO_PAUSE, ...Object(parameters?.options) };
		const own = { robotId: locator(robotId), output: 'simplified', ...parameters, options: given };
		return await run('run', 'runAndWait', own, options);
	};

	return { run, succeed, runAndWait };
}

/** Tests for the documented API, or for real servers of mid-2026. */
export function describeForm(
	sandbox: TestSandbox,
	form: Form,
	tests: (own: ReturnType<typeof selfHostedOn>) => void,
): void {
	describe(`as ${form}`, () => {
		beforeEach(async () => await sandbox.control.settings({ selfHostedForm: form }));
		tests(selfHostedOn(sandbox));
	});
}

export function describeForms(
	sandbox: TestSandbox,
	tests: (form: Form, own: ReturnType<typeof selfHostedOn>) => void,
): void {
	for (const form of FORMS) describeForm(sandbox, form, (own) => tests(form, own));
}
