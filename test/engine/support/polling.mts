import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { poll, StaticData } from '../../helpers/engine/index.mts';
import { PACKAGE_NAME } from '../../helpers/engine/package.mts';
import type { TestSandbox } from '../../helpers/sandbox.mts';
import { runIdsOf } from './triggers.mts';

export const MINUTE = 60_000;

type PollSetup = Partial<Parameters<typeof poll>[0]>;

/** A workflow with a polling trigger. */
export class Poller {
	staticData = new StaticData();

	constructor(
		private readonly sandbox: TestSandbox,
		private readonly parameters: INodeParameters,
		private readonly setup: PollSetup = {},
	) {}

	/** One poll. Returns the items. */
	async items(parameters: INodeParameters = {}, setup: PollSetup = {}): Promise<IDataObject[]> {
		const outputs = await poll({
			type: `${PACKAGE_NAME}.maxunPollingTrigger`,
			parameters: { events: ['run_completed'], ...this.parameters, ...parameters },
			credentials: this.sandbox.credentials(),
			staticData: this.staticData,
			...this.setup,
			...setup,
		});
		return (outputs?.[0] ?? []).map(({ json }) => json);
	}

	/** One poll. Returns the IDs of the emitted runs. */
	async emitted(parameters: INodeParameters = {}, setup: PollSetup = {}): Promise<unknown[]> {
		return runIdsOf((await this.items(parameters, setup)).map((json) => ({ json })));
	}
}

/** Runs end after the polls of a test, in minutes, because runs that ended before the first poll are old. */
export const AFTER = 100;

/** A run on Maxun Cloud that ends so many minutes before or after this time. */
export async function endedRun(
	{ control }: TestSandbox,
	robotId: string,
	minutes: number,
	run: IDataObject = {},
): Promise<string> {
	const finishedAt = new Date(Date.now() + (AFTER + minutes) * MINUTE).toISOString();
	const [id = ''] = await control.runs({
		robotId,
		run: { startedAt: finishedAt, finishedAt, ...run },
	});
	return id;
}
