import { cloudServer } from '../maxun/cloud.mts';
import { selfHostedServer } from '../maxun/selfHosted.mts';
import { Service } from '../maxun/service.mts';
import { N8n } from '../n8n/host.mts';
import { KEYS, ORIGINS } from '../origins.mts';
import type { NodeCode } from '../process.mts';
import { World } from '../world.mts';
import type { History } from './history.mts';

/** The part of a history that its world needs. */
type Setting = Pick<History, 'hasOtherN8n' | 'host' | 'role' | 'seed' | 'server' | 'service'>;

/** Maxun and n8n in simulated time. */
export class WaitingWorld extends World {
	readonly maxun: Service;
	readonly n8n: N8n;
	/** Another n8n instance with the same encryption key and the same account, such as a copy for tests. */
	readonly otherN8n?: N8n;
	/** Another account on the same server. */
	readonly otherAccount: Service;

	constructor(settings: Setting, code: NodeCode) {
		super(settings.seed);
		this.maxun = new Service(this.clock, this.network, { ...settings.service });
		this.maxun.roles.set(KEYS.own, settings.role);
		this.otherAccount = new Service(this.clock, this.network, { ...settings.service }, 'other-');
		this.otherAccount.roles.clear();
		this.otherAccount.roles.set(KEYS.other, 'admin');
		const create = settings.server === 'cloud' ? cloudServer : selfHostedServer;
		const [server, other] = [create(this.maxun), create(this.otherAccount)];
		this.network.serve(ORIGINS[settings.server], (request) =>
			request.headers['x-api-key'] === KEYS.other ? other(request) : server(request),
		);
		this.n8n = new N8n(this.clock, this.random, code, settings.host);
		if (settings.hasOtherN8n) {
			this.otherN8n = new N8n(this.clock, this.random, code, { workers: 0 }, 'other ');
		}
	}

	get hosts(): N8n[] {
		return this.otherN8n ? [this.n8n, this.otherN8n] : [this.n8n];
	}
}
