import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe } from 'vitest';
import { DEMO, KEYS } from '../../sandbox/index.mts';
import { execute, lineOf, type ExecuteOptions } from '../harness/index.mts';
import { locator, maxun } from './parameters.mts';
import type { World } from './sandbox.mts';

export const FORMS = ['documented', 'observed'] as const;
export type Form = (typeof FORMS)[number];

/** Lets the server settle no longer than a test has time for. */
export const AT_ONCE: INodeParameters = { pauseBeforeStart: 0 };

export interface SelfHostedValues {
	apiKey?: string;
	baseUrl?: string;
	timezone?: string;
}

/** What the tests of self-hosted servers do over and over. */
export class SelfHosted {
	constructor(readonly world: World) {}

	/** Credential values as a user types them. */
	credentials(changes: SelfHostedValues = {}) {
		const { url } = this.world.sandbox;
		return {
			maxunSelfHostedApi: { apiKey: String(KEYS.owner), baseUrl: url, timezone: '', ...changes },
		};
	}

	/** Runs an operation of the action node against the server. */
	async run(
		resource: string,
		operation: string,
		parameters: INodeParameters = {},
		options: Partial<ExecuteOptions> = {},
	) {
		return await execute({
			parameters: maxun(resource, operation, { server: 'selfHosted', ...parameters }),
			credentials: this.credentials(),
			...options,
		});
	}

	async runAndWait(
		robotId: string = DEMO.products,
		parameters: INodeParameters = {},
		options: Partial<ExecuteOptions> = {},
	) {
		const own = { robotId: locator(robotId), options: AT_ONCE, ...parameters };
		return await this.run('run', 'runAndWait', own, options);
	}

	async newRobot(name: string, path = '/products'): Promise<string> {
		const { control, sandbox } = this.world;
		const url = sandbox.siteUrl + path;
		return await control.robot({ type: 'scrape', name, url, formats: ['markdown'] });
	}

	/** Asks the server around the node and the record of requests. */
	async ask(path: string, { method = 'GET', body }: { method?: string; body?: IDataObject } = {}) {
		const response = await fetch(`${this.world.sandbox.url}/api${path}`, {
			method,
			headers: {
				'x-api-key': KEYS.owner,
				'x-test': 'direct',
				...(body && { 'content-type': 'application/json' }),
			},
			...(body && { body: JSON.stringify(body) }),
		});
		const answer: IDataObject = JSON.parse(await response.text());
		return answer;
	}

	/** The robot's runs as the server shows them. */
	async runsOf(robotId: string): Promise<IDataObject[]> {
		const { runs } = await this.ask(`/robots/${robotId}/runs`);
		return Object(runs).items;
	}

	async lines(): Promise<string[]> {
		return (await this.world.sent()).map(lineOf);
	}

	async count(pattern: RegExp): Promise<number> {
		return (await this.lines()).filter((line) => pattern.test(line)).length;
	}
}

/** Tests for the API as documented, or as real servers of mid-2026 speak it. */
export function describeForm(world: World, form: Form, tests: (own: SelfHosted) => void): void {
	describe(`as ${form}`, () => {
		beforeEach(async () => await world.control.settings({ ...CALM, selfHostedForm: form }));
		tests(new SelfHosted(world));
	});
}

/** The same tests for both. */
export function describeForms(world: World, tests: (form: Form, own: SelfHosted) => void): void {
	for (const form of FORMS) describeForm(world, form, (own) => tests(form, own));
}

/** Settings that the tests change, as they are to begin with. */
const CALM = {
	runSeconds: 0.3,
	selfHostedSlots: 2,
	selfHostedAnswersAtOnce: false,
	selfHostedCutAfterSeconds: null,
	selfHostedTimezone: 'UTC',
	selfHostedDatabaseDown: false,
};
