import { N8n } from '../n8n/host.mts';
import type { Request, Response, Server } from '../network.mts';
import { KEYS, ORIGINS } from '../origins.mts';
import type { NodeCode } from '../process.mts';
import { World } from '../world.mts';
import { fieldsOf } from './credentials.mts';
import { plan } from './faults.mts';
import type { DeliveryFaults, History } from './history.mts';
import { Account, type AccountSettings } from './maxun/account.mts';

/** Where a copy of the workflows may run. */
const OTHER_N8N = 'https://other.n8n.test';

/** The number of an n8n instance's workers in queue mode. */
const WORKERS = 2;

/** The shortest time between two polls at the end, in seconds. Two thirds of the real time are spent there. */
const CALM_INTERVAL = 300;

/** A URL that doesn't exist, and a URL at which something else responds. */
const WRONG_URLS = { nobody: 'https://nowhere.test', page: 'https://page.test' };

/** Where other programs' webhooks are. */
export const FOREIGN = 'https://elsewhere.test';

/** What Maxun gets instead of n8n's response. */
const LOST: Response = { status: 502, body: 'Bad gateway' };

/** An event that has arrived at an n8n instance. */
export interface Arrival {
	url: URL;
	/** Epoch milliseconds. */
	at: number;
	robotId?: string;
	/** Undefined if the event doesn't contain it in a known form. */
	runId?: string;
}

/** Maxun and two n8n instances in simulated time. */
export class EventsWorld extends World {
	/** The account that everything begins with, and another account, team or server. */
	readonly accounts: [Account, Account];
	readonly n8n: N8n;
	/** Another n8n instance, to which workflows are copied. */
	readonly other: N8n;
	readonly arrivals: Arrival[] = [];

	constructor(history: History, code: NodeCode) {
		const { seed, faults, deliveries, date, url, knowsTimeZone } = history;
		super(seed, Date.parse(date));
		const [main, second] = settingsOf(history);
		this.accounts = [
			new Account(this.clock, this.network, main),
			new Account(this.clock, this.network, second),
		];
		const answer: Server = async (request) =>
			(await this.accounts.find((account) => account.isFor(request))?.answer(request)) ?? {
				status: 403,
				body: { success: false, error: 'Invalid API key' },
			};
		const servers = [ORIGINS.cloud, ORIGINS.selfHosted, ORIGINS.otherSelfHosted];
		for (const origin of servers) this.network.serve(origin, answer);
		const page: Response = { status: url === 'a page with 502' ? 502 : 404, body: '<html></html>' };
		this.network.serve(WRONG_URLS.page, () => page);
		this.network.serve(FOREIGN, () => ({ status: 200, body: '' }));
		const { clock, random } = this;
		const isMaxun = ({ origin }: URL) => servers.includes(origin);
		plan(faults, this.network, { now: () => clock.now, random, isMaxun });
		const host = (origin: string) =>
			new N8n(
				this.clock,
				this.random,
				code,
				{
					...history.host,
					workers: history.host.processors > 0 ? WORKERS : 0,
					origin,
					publicUrl: publicUrlOf(url) ?? origin,
				},
				`${origin} `,
			);
		this.n8n = host(ORIGINS.n8n);
		this.other = host(OTHER_N8N);
		for (const { credentials, receiver, settings } of this.hosts) {
			this.network.serve(settings.origin, async (request) => await receiver.receive(request));
			for (const account of this.accounts) {
				credentials.set(account.own.name, fieldsOf(account, knowsTimeZone));
			}
		}
		this.disturb(deliveries);
	}

	get hosts(): N8n[] {
		return [this.n8n, this.other];
	}

	/** Stops all faults of events and requests. From then on, more polls would not show anything new. */
	calm(): void {
		for (const { settings } of this.hosts) {
			settings.pollInterval = Math.max(CALM_INTERVAL, settings.pollInterval);
		}
		this.disturb({ twice: 0, lost: 0, responseLost: 0 });
		this.network.faultOf = () => undefined;
	}

	/** Makes events arrive twice or get lost. */
	private disturb({ twice, lost, responseLost }: DeliveryFaults): void {
		this.network.through = async (request, send) => {
			if (this.random() < lost) return LOST;
			this.noteArrival(request);
			if (this.random() < twice) {
				this.noteArrival(request);
				void Promise.resolve(send(request)).catch(() => undefined);
			}
			const response = await send(request);
			return this.random() < responseLost ? LOST : response;
		};
	}

	private noteArrival({ url, body }: Request): void {
		const text = JSON.stringify(body);
		const [, robotId] = /"([\da-f]{8}-0000-4000-8000-\d{12})"/.exec(text) ?? [];
		const [, runId] = /"(\w{8}-0000-4001-8000-\d{12})"/.exec(text) ?? [];
		this.arrivals.push({ url, at: this.clock.now, robotId, runId });
	}
}

const publicUrlOf = (url: History['url']): string | undefined => {
	if (url === 'right') return undefined;
	return url === 'nobody' ? WRONG_URLS.nobody : WRONG_URLS.page;
};

function settingsOf(history: History): [AccountSettings, AccountSettings] {
	const { service, server, other, role, otherTimezone } = history;
	const main: AccountSettings = {
		...service,
		name: 'main',
		kind: server,
		apiKey: KEYS.own,
		teamId: '',
		role: server === 'cloud' ? role : 'admin',
	};
	if (other === 'server') {
		// Another self-hosted server, usually with its own language and time zone.
		return [
			main,
			{
				...main,
				name: 'second',
				kind: 'selfHosted',
				apiKey: KEYS.other,
				role: 'admin',
				timezone: otherTimezone,
			},
		];
	}
	const second: AccountSettings = { ...main, name: 'second', kind: 'cloud' };
	return [
		main,
		other === 'team' ? { ...second, teamId: 'team-7' } : { ...second, apiKey: KEYS.other },
	];
}
