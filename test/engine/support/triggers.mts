import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { afterEach } from 'vitest';
import { z } from 'zod';
import { TriggerHost, type TriggerOptions } from '../../helpers/engine/index.mts';
import type { TestSandbox } from '../../helpers/sandbox.mts';
import { inGroups } from '../../helpers/parameters.mts';
import { useSandbox } from '../../helpers/useSandbox.mts';
import type { SandboxOptions } from '../../sandbox/index.mts';

export const MINUTE = 60_000;
const USUAL = { events: ['run_completed'], output: 'simplified' };

const ListedWebhook = z.object({
	id: z.string(),
	url: z.string(),
	active: z.boolean(),
	events: z.array(z.string()),
	retryAttempts: z.number(),
	retryDelay: z.number(),
	timeout: z.number(),
});
export type ListedWebhook = z.infer<typeof ListedWebhook>;

/** Common steps in the trigger tests. */
export class Triggers {
	private readonly hosts: TriggerHost[] = [];

	constructor(readonly sandbox: TestSandbox) {
		afterEach(
			async () => await Promise.all(this.hosts.splice(0).map(async (host) => await host.close())),
		);
	}

	/** An n8n instance with one workflow that the trigger starts. Its items show the run. Closes after the test. */
	async host(
		robotIds: string[],
		parameters: INodeParameters = {},
		options: Partial<TriggerOptions> = {},
	): Promise<TriggerHost> {
		const host = await TriggerHost.start({
			parameters: inGroups({ ...USUAL, robotIds, ...parameters }),
			credentials: this.sandbox.credentials(),
			...options,
		});
		this.hosts.push(host);
		return host;
	}

	async activeHost(...given: Parameters<Triggers['host']>): Promise<TriggerHost> {
		const host = await this.host(...given);
		await host.activate();
		return host;
	}

	/** An active trigger that only polls. */
	async poller(
		robotIds: string[],
		{ options, ...parameters }: INodeParameters & { options?: INodeParameters } = {},
		setup: Partial<TriggerOptions> = {},
	): Promise<TriggerHost> {
		const all = { ...parameters, options: { pollOnly: true, ...options } };
		return await this.activeHost(robotIds, all, setup);
	}

	async webhooks(robotId: string, teamId = ''): Promise<ListedWebhook[]> {
		return z.array(ListedWebhook).parse(await this.sandbox.client({ teamId }).webhooks(robotId));
	}

	/** Runs that end now, in this order, without a delivery. They end at least a second after the watch begins. */
	async endedRuns(robotId: string, count = 1, run: IDataObject = {}): Promise<string[]> {
		const ids: string[] = [];
		for (let index = 0; index < count; index++) {
			const finishedAt = new Date(Date.now() + 1000 + index).toISOString();
			const fields = { startedAt: finishedAt, finishedAt, ...run };
			ids.push(...(await this.sandbox.control.runs({ robotId, run: fields })));
		}
		return ids;
	}

	/** A run that ended this many minutes ago, without a delivery. */
	async endedRun(robotId: string, minutesAgo = 0, run: IDataObject = {}): Promise<string> {
		const finishedAt = new Date(Date.now() - minutesAgo * MINUTE).toISOString();
		const fields = { startedAt: finishedAt, finishedAt, ...run };
		const [id = ''] = await this.sandbox.control.runs({ robotId, run: fields });
		return id;
	}

	/** Runs a robot through the API, and waits for the end. @returns the run's ID */
	async finishedRun(robotId: string, teamId = ''): Promise<string> {
		return String((await this.sandbox.client({ teamId }).run(robotId)).id);
	}
}

/** A sandbox for one test file, and triggers on it. */
export function useTriggers(options: SandboxOptions = {}) {
	const sandbox = useSandbox(options);
	return { sandbox, triggers: new Triggers(sandbox) };
}

/** Sends a run's event as the robot's webhook does. @returns the response's status */
export async function announce(
	host: TriggerHost,
	robot: string,
	run_id?: unknown,
): Promise<number> {
	const body = { event_type: 'run_completed', data: { run_id } };
	return (await host.post(body, `${host.url}?robot=${robot}`)).status;
}

/** One poll. @returns the runs with which it starts the workflow */
export const polled = async (host: TriggerHost, setup: Parameters<TriggerHost['poll']>[0] = {}) =>
	runIdsOf((await host.poll(setup))?.emitted[0] ?? []);

/** The items' run IDs, in order. */
export const runIdsOf = (items: INodeExecutionData[]): unknown[] =>
	items.map(({ json }) => Object(json.run).id);
