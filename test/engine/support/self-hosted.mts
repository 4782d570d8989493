import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect } from 'vitest';
import { DEMO } from '../../sandbox/index.mts';
import { execute, type ExecuteOptions } from '../../helpers/engine/index.mts';
import { locator, maxun } from '../../helpers/parameters.mts';
import type { TestSandbox } from '../../helpers/sandbox.mts';

export const FORMS = ['documented', 'observed'] as const;
export type Form = (typeof FORMS)[number];

export const NO_PAUSE: INodeParameters = { delayBeforeStart: 0 };

export class SelfHosted {
	constructor(readonly sandbox: TestSandbox) {}

	async run(
		resource: string,
		operation: string,
		parameters: INodeParameters = {},
		options: Partial<ExecuteOptions> = {},
	) {
		return await execute({
			parameters: maxun(resource, operation, { server: 'selfHosted', ...parameters }),
			credentials: this.sandbox.serverCredentials(),
			...options,
		});
	}

	async succeed(...given: Parameters<SelfHosted['run']>): Promise<IDataObject[]> {
		const { items, error } = await this.run(...given);
		expect(error).toBeUndefined();
		return (items[0] ?? []).map(({ json }) => json);
	}

	async runAndWait(
		robotId: string = DEMO.products,
		parameters: INodeParameters = {},
		options: Partial<ExecuteOptions> = {},
	) {
		const { options: given, ...others } = { options: {}, ...parameters };
		const own = {
			robotId: locator(robotId),
			output: 'simplified',
			options: { ...NO_PAUSE, ...Object(given) },
			...others,
		};
		return await this.run('run', 'runAndWait', own, options);
	}
}

/** Tests for the documented API, or for real servers of mid-2026. */
export function describeForm(
	sandbox: TestSandbox,
	form: Form,
	tests: (own: SelfHosted) => void,
): void {
	describe(`as ${form}`, () => {
		beforeEach(async () => await sandbox.control.settings({ ...CALM, selfHostedForm: form }));
		tests(new SelfHosted(sandbox));
	});
}

export function describeForms(
	sandbox: TestSandbox,
	tests: (form: Form, own: SelfHosted) => void,
): void {
	for (const form of FORMS) describeForm(sandbox, form, (own) => tests(form, own));
}

/** Initial values of the settings that tests change. */
export const CALM = {
	runSeconds: 0.3,
	selfHostedSlots: 2,
	selfHostedAnswersAtOnce: false,
	selfHostedCutAfterSeconds: null,
	selfHostedTimezone: 'UTC',
	selfHostedDatabaseDown: false,
	selfHostedFileStoreDown: false,
	selfHostedAbortedRunsContinue: true,
	selfHostedSdk: 'observed',
} as const;
