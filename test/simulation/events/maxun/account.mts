import { dateOf, type Clock } from '../../clock.mts';
import { cloudServer } from '../../maxun/cloud.mts';
import { selfHostedServer } from '../../maxun/selfHosted.mts';
import {
	Service,
	type Robot,
	type Role,
	type Run,
	type ServiceSettings,
} from '../../maxun/service.mts';
import type { Network, Request, Response, Server } from '../../network.mts';
import { KEYS } from '../../origins.mts';
import { withOddities } from './oddities.mts';
import { offsetOf, serverTime } from './serverTime.mts';

const HOUR = 3_600_000;

export type ServerKind = 'cloud' | 'selfHosted';

export interface AccountSettings extends ServiceSettings {
	/** A part of the IDs, which differs between accounts. */
	name: string;
	kind: ServerKind;
	apiKey: string;
	/** Empty for a personal account. */
	teamId: string;
	role: Role;
	/** By how many milliseconds the server's clock is ahead of the true time. */
	clockLead: number;
	/** A self-hosted server's language, in which it writes dates. */
	locale: string;
}

/** The status that a robot's lists of runs or webhooks return instead of their content. */
export type Refusal = 403 | 404 | 500;

/** An account, a team or a server: what it contains, who may do what, and what goes wrong. */
export class Account extends Service {
	/** Robots whose runs can't be listed, by ID. */
	readonly unlisted = new Map<string, Refusal>();
	/** Robots whose lists contain entries that aren't runs, by ID. */
	readonly odd = new Set<string>();
	/** Runs that were canceled before they started. They have no times. */
	readonly withoutTimes = new Set<string>();
	/** The status that failing webhook routes return: all of them, or only the routes that change something. */
	webhookRefusal?: { status: Refusal; isOfChanges: boolean };
	/** By how many milliseconds the date of a response is ahead of the server's clock. */
	dateLead = 0;
	/** When there were too many requests. */
	readonly throttled: number[] = [];
	/** When runs ended, by ID, in true time. */
	readonly ends = new Map<string, number>();
	/** By how many milliseconds the server's clock is ahead, and since when. */
	private readonly leads: Array<{ since: number; lead: number }>;
	private readonly server: Server;

	constructor(
		private readonly trueClock: Clock,
		network: Network,
		readonly own: AccountSettings,
	) {
		super(
			serverTime(trueClock, () => own.clockLead),
			network,
			own,
		);
		this.leads = [{ since: 0, lead: own.clockLead }];
		this.server = own.kind === 'cloud' ? cloudServer(this) : selfHostedServer(this);
	}

	override id(kind: string): string {
		const id = super.id(kind);
		const isUuid = kind === 'robot' || kind === 'run';
		if (!isUuid) return `${id}-${this.own.name}`;
		// The triggers treat any other text as a name, and all IDs of runs look like this.
		const account = Buffer.from(this.own.name).toString('hex').padEnd(8, '0').slice(0, 8);
		const group = kind === 'run' ? '4001' : '4000';
		return `${account}-0000-${group}-8000-${id.replace(/\D/g, '').padStart(12, '0')}`;
	}

	/** Whether a request is for this account. */
	isFor({ headers }: Request): boolean {
		const { apiKey, teamId } = this.own;
		return headers['x-api-key'] === apiKey && (headers['x-team-id'] ?? '') === teamId;
	}

	async answer(request: Request): Promise<Response> {
		const response =
			this.refusalOf(request) ?? this.profile(request) ?? (await this.serve(request));
		if (response.status === 429) this.throttled.push(this.trueClock.now);
		const date = dateOf(this.clock.now + this.dateLead).toUTCString();
		return { ...response, headers: { date, ...response.headers } };
	}

	override end(run: Run, status: 'success' | 'failed' | 'aborted'): void {
		const isNew = run.finishedAt === undefined;
		super.end(run, status);
		if (isNew) this.ends.set(run.id, this.trueClock.now);
	}

	/** Changes the server's clock. @param milliseconds forward; back if negative */
	setClock(milliseconds: number): void {
		this.own.clockLead += milliseconds;
		this.leads.push({ since: this.trueClock.now, lead: this.own.clockLead });
	}

	/** The server's time at a true time, in epoch milliseconds. A self-hosted server writes it without a zone. */
	written(time: number): number {
		const lead = this.leads.filter(({ since }) => since <= time).at(-1)?.lead ?? 0;
		const { kind, timezone = 'UTC' } = this.own;
		const shown = time + lead;
		return kind === 'cloud' ? shown : shown + offsetOf(timezone, shown);
	}

	/** The latest time that the server's clock showed between two true times, even just before it was set back. */
	latestWritten(from: number, to: number): number {
		const changes = this.leads.map(({ since }) => since).filter((at) => from < at && at <= to);
		// Local clocks are set back on the hour.
		for (let at = Math.ceil(from / HOUR) * HOUR; at <= to; at += HOUR) changes.push(at);
		return Math.max(this.written(from), ...changes.map((at) => this.written(at - 1)));
	}

	/** Somebody starts a run and cancels it before it begins. */
	cancelAtOnce(robot: Robot): void {
		const run = this.newRun(robot, this.clock.now);
		this.withoutTimes.add(run.id);
		this.end(run, 'aborted');
	}

	/** Adds a run that ended this many milliseconds ago. */
	addEnded(robot: Robot, status: 'success' | 'failed' | 'aborted', age: number): void {
		const finishedAt = this.clock.now - age;
		const run = this.newRun(robot, finishedAt - 5000);
		Object.assign(run, { status, startedAt: finishedAt - 5000, finishedAt });
		this.ends.set(run.id, this.trueClock.now - age);
	}

	/** The status of n8n's response to an event; 0 without a response. */
	override async post(url: string, body: object, timeout: number): Promise<number> {
		return await super.post(url, body, timeout).catch(() => 0);
	}

	private newRun(robot: Robot, createdAt: number): Run {
		const plan = { seconds: 5, status: 'success' as const, rows: 1 };
		const { id: robotId, name: robotName, key } = robot;
		const fields = { id: this.id('run'), robotId, robotName, key, createdAt, plan };
		const run: Run = { ...fields, source: 'dashboard', status: 'queued' };
		this.add(run);
		return run;
	}

	private async serve(request: Request): Promise<Response> {
		const headers = { ...request.headers, 'x-api-key': KEYS.own };
		return withOddities(this, request, await this.server({ ...request, headers }));
	}

	/** The owner of the API key. */
	private profile({ method, url }: Request): Response | undefined {
		const { apiKey, role } = this.own;
		const user = { email: `${apiKey.slice(-4)}@example.com`, plan: 'pro', credits: 1000 };
		const isOf = (path: string) => method === 'GET' && url.pathname.endsWith(path);
		if (isOf('/api/v1/me')) {
			const teams = [{ id: 'team-7', name: 'Team', role: role.toUpperCase(), isOwner: false }];
			return { status: 200, body: { success: true, data: { ...user, expiresAt: null, teams } } };
		}
		return isOf('/api/sdk/status') ? { status: 200, body: { ...user, plan: 'OSS' } } : undefined;
	}

	private refusalOf({ method, url }: Request): Response | undefined {
		const { role, kind } = this.own;
		const isForbidden =
			(role === 'viewer' && method !== 'GET') || (role === 'member' && method === 'DELETE');
		if (kind === 'cloud' && isForbidden) return this.refuse(403, 'Your role does not allow this');
		const isWebhooks = /\/webhooks|\/sdk\/robots\//.test(url.pathname);
		if (this.webhookRefusal && isWebhooks) {
			const { status, isOfChanges } = this.webhookRefusal;
			if (!isOfChanges || method !== 'GET') return this.refuse(status, 'No webhooks');
		}
		const [, listed] = /\/(?:robots|agents)\/([^/]+)\/runs$/.exec(url.pathname) ?? [];
		const robotId = listed ?? url.searchParams.get('robotId') ?? '';
		const refusal = method === 'GET' ? this.unlisted.get(decodeURIComponent(robotId)) : undefined;
		return refusal && this.refuse(refusal, 'No runs');
	}

	private refuse(status: Refusal, text: string): Response {
		if (this.own.kind === 'cloud') return { status, body: { success: false, error: text } };
		const messageCode = status === 404 ? 'not_found' : 'error';
		return { status, body: { statusCode: status, messageCode, message: text } };
	}
}
