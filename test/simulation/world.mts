import { Clock } from './clock.mts';
import { cloudServer } from './maxun/cloud.mts';
import { selfHostedServer } from './maxun/selfHosted.mts';
import { Service, type ServiceSettings } from './maxun/service.mts';
import { N8n, type HostSettings } from './n8n/host.mts';
import { Network } from './network.mts';
import { ORIGINS } from './origins.mts';
import type { NodeCode } from './process.mts';
import { randomFrom } from './random.mts';

export interface WorldSettings {
	/** Determines latencies and everything else that the history leaves open. */
	seed: number;
	server: 'cloud' | 'selfHosted';
	service: ServiceSettings;
	host: HostSettings;
}

/** Maxun and n8n in simulated time. Only one world exists at a time in a thread. */
export class World {
	private readonly realRandom = Math.random;
	readonly clock: Clock;
	readonly random: () => number;
	readonly network: Network;
	readonly maxun: Service;
	readonly n8n: N8n;

	/** @param stopwatch measures how long turns take, in real milliseconds */
	constructor(settings: WorldSettings, code: NodeCode, stopwatch = () => performance.now()) {
		this.clock = new Clock(stopwatch);
		// The nodes spread requests out at random, and a seed must replay its history.
		Math.random = randomFrom(settings.seed + 1);
		this.random = randomFrom(settings.seed);
		this.network = new Network(this.clock, this.random);
		this.maxun = new Service(this.clock, this.network, settings.service);
		const server = settings.server === 'cloud' ? cloudServer : selfHostedServer;
		this.network.serve(ORIGINS[settings.server], server(this.maxun));
		this.n8n = new N8n(this.clock, this.network, this.random, code, settings.host);
	}

	close(): void {
		Math.random = this.realRandom;
		this.network.close();
		this.clock.close();
	}
}
