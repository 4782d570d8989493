import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { afterEach } from 'vitest';
import { TriggerHost, type TriggerOptions } from '../harness/index.mts';
import type { World } from './sandbox.mts';

/** A webhook of a robot, as the API lists it. */
export interface ListedWebhook {
	id: string;
	url: string;
	active: boolean;
	events: string[];
	retryAttempts: number;
}

/** What the trigger tests do over and over. */
export class TriggerWorld {
	private readonly hosts: TriggerHost[] = [];

	constructor(readonly world: World) {
		afterEach(
			async () => await Promise.all(this.hosts.splice(0).map(async (host) => await host.close())),
		);
	}

	async newRobot(fields: IDataObject = {}): Promise<string> {
		return await this.world.control.robot({
			type: 'scrape',
			name: `Watched ${crypto.randomUUID()}`,
			url: `${this.world.sandbox.siteUrl}/products`,
			formats: ['markdown'],
			...fields,
		});
	}

	/** An n8n with one workflow that the trigger starts; closed after the test. */
	async host(
		robotIds: string[],
		parameters: INodeParameters = {},
		options: Partial<TriggerOptions> = {},
	): Promise<TriggerHost> {
		const host = await TriggerHost.start({
			parameters: { events: ['run_completed'], robotIds, ...parameters },
			credentials: this.world.credentials(),
			...options,
		});
		this.hosts.push(host);
		return host;
	}

	async activeHost(...given: Parameters<TriggerWorld['host']>): Promise<TriggerHost> {
		const host = await this.host(...given);
		await host.activate();
		return host;
	}

	async webhooks(robotId: string, teamId = ''): Promise<ListedWebhook[]> {
		const { body } = await this.world.ask(`/robots/${robotId}/webhooks`, { teamId });
		return Array.isArray(body.data) ? body.data : [];
	}

	/** Runs a robot through the API and waits for its end; returns the run's id. */
	async finishedRun(robotId: string, teamId = ''): Promise<string> {
		const id = await this.startedRun(robotId, teamId);
		for (;;) {
			const { body } = await this.world.ask(`/runs/${id}`, { teamId });
			if (body.data.finishedAt !== null) return id;
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	}

	async startedRun(robotId: string, teamId = ''): Promise<string> {
		const { body } = await this.world.ask(`/robots/${robotId}/runs`, { method: 'POST', teamId });
		return String(body.id);
	}
}

/** Ids of the runs that items tell of, in their order. */
export const runIdsOf = (items: INodeExecutionData[]): unknown[] =>
	items.map(({ json }) => Object(json.run).id);
