import { Clock } from '../clock.mts';
import { cloudServer } from '../maxun/cloud.mts';
import { selfHostedServer } from '../maxun/selfHosted.mts';
import { Service } from '../maxun/service.mts';
import { plan } from '../mishaps.mts';
import { Network, type Response } from '../network.mts';
import { ORIGINS } from '../origins.mts';
import type { NodeCode } from '../process.mts';
import { randomFrom } from '../random.mts';
import type { History } from './history.mts';
import { TriggerHost } from './host.mts';

/** Where a copy of the workflows may run. */
const OTHER_N8N = 'https://other.n8n.test';

/** Maxun and two n8n in simulated time. Only one world exists at a time in a thread. */
export class EventsWorld {
	readonly clock: Clock;
	readonly random: () => number;
	readonly network: Network;
	readonly maxun: Service;
	readonly n8n: TriggerHost;
	/** Another n8n, to which workflows are copied. */
	readonly other: TriggerHost;

	constructor(history: History, code: NodeCode, stopwatch = () => performance.now()) {
		const { seed, service, server, faults, deliveries, knowsTimeZone } = history;
		const { processors, storing, pollInterval } = history;
		this.clock = new Clock(stopwatch);
		this.random = randomFrom(seed);
		this.network = new Network(this.clock, this.random);
		this.maxun = new Service(this.clock, this.network, service);
		const create = server === 'cloud' ? cloudServer : selfHostedServer;
		this.network.serve(ORIGINS[server], create(this.maxun));
		plan(faults, this.network);
		const { notStored } = deliveries;
		const host = (origin: string) =>
			new TriggerHost(this.clock, this.network, this.random, code, {
				origin,
				processors,
				storing,
				pollInterval,
				notStored,
				timezone: knowsTimeZone ? service.timezone : 'UTC',
			});
		this.n8n = host(ORIGINS.n8n);
		this.other = host(OTHER_N8N);
		this.disturb(deliveries);
	}

	get hosts(): TriggerHost[] {
		return [this.n8n, this.other];
	}

	/** Deliveries stop being lost and repeated. */
	calm(): void {
		this.disturb({ twice: 0, lost: 0, responseLost: 0 });
		this.network.faultOf = () => undefined;
	}

	close(): void {
		this.network.close();
		this.clock.close();
	}

	/** Lets deliveries arrive twice, or get lost. */
	private disturb({ twice, lost, responseLost }: Omit<History['deliveries'], 'notStored'>): void {
		const unavailable: Response = { status: 502, body: 'Bad gateway' };
		this.network.through = async (request, send) => {
			if (this.random() < lost) return unavailable;
			if (this.random() < twice) void send(request);
			const response = await send(request);
			return this.random() < responseLost ? unavailable : response;
		};
	}
}
