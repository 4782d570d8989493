import type { Run } from '../maxun/service.mts';
import { AFTERMATH } from './faults.mts';
import type { History } from './history.mts';
import { Exceptions } from './exceptions.mts';
import type { Account } from './maxun/account.mts';
import type { Start } from '../n8n/calls.mts';
import type { N8n } from '../n8n/host.mts';
import type { Publication } from '../n8n/publisher.mts';
import { kindOf } from '../mishaps.mts';
import type { Request } from '../network.mts';
import { SENDER } from '../origins.mts';
import { hasWebhooks, pathOf, selectionOf } from './triggers.mts';
import { FOREIGN, type EventsWorld } from './world.mts';

/** A period in which something is wrong. Epoch milliseconds. */
export interface Disturbance {
	from: number;
	to: number;
	/** If set, only this n8n instance is affected. */
	host?: N8n;
	/** If set, only this workflow is affected. */
	workflowId?: string;
	/** If set, only this robot is affected; with `isOfList`, only the list of its runs. */
	robotId?: string;
	isOfList?: boolean;
}

/** What happens in a world, as somebody outside sees it. */
export class Story {
	/** The lines in n8n's log. */
	readonly logs: Array<{ at: number; text: string }> = [];
	readonly exceptions = new Exceptions();
	readonly disturbances: Disturbance[] = [];
	/** When all of the first account's webhook routes failed. */
	readonly refusals: Array<{ from: number; to: number; host?: undefined; workflowId?: undefined }> =
		[];
	/** When robots were deleted, by ID. */
	readonly deleted = new Map<string, number>();
	/** Robots that lacked a trigger's webhook when its publication had succeeded. */
	readonly unregistered: Array<{ publication: Publication; robotIds: string[] }> = [];
	/** Webhooks in Maxun before the last workflows were unpublished. */
	readonly webhooks: Array<{ robotId: string; url: string }> = [];
	/** What was published before the last workflows were unpublished. */
	readonly live: Publication[] = [];
	/** Robots whose webhooks people removed. */
	readonly cleared = new Set<string>();
	private readonly onPoll: Array<() => void> = [];
	/** When the last run had enough time to start workflows. Epoch milliseconds. */
	ended = Infinity;

	constructor(
		readonly world: EventsWorld,
		readonly history: History,
	) {
		for (const { at, seconds } of history.faults) {
			const from = world.began + at * 1000;
			this.disturbances.push({ from, to: from + seconds * 1000 + AFTERMATH });
		}
		for (const host of world.hosts) host.onPublished = (one) => this.checkRegistration(one);
	}

	/** Does something while the next poll reads a run. */
	whilePolling(work: () => void): void {
		this.onPoll.push(work);
	}

	onRequest(request: Request): void {
		if (this.onPoll.length === 0 || kindOf(request) !== 'run') return;
		const sender = request.headers[SENDER];
		const { hosts, clock, random } = this.world;
		if (
			!hosts.some(({ calls }) => calls.some((one) => one.sender === sender && one.kind === 'poll'))
		)
			return;
		for (const work of this.onPoll.splice(0)) clock.after(random() * 1000, work, null);
	}

	log(text: string): void {
		this.logs.push({ at: this.world.clock.now, text });
		this.world.note(text);
	}

	/** Records a disturbance from now on. @param seconds undefined if it lasts until `lift` is called */
	disturb(disturbance: Omit<Disturbance, 'from' | 'to'>, seconds?: number): Disturbance {
		const from = this.world.clock.now;
		const to = seconds === undefined ? Infinity : from + seconds * 1000;
		const added = { ...disturbance, from, to };
		this.disturbances.push(added);
		return added;
	}

	/** Ends the disturbances without an end. */
	lift(): void {
		for (const one of this.disturbances) one.to = Math.min(one.to, this.world.clock.now);
	}

	get publications(): Publication[] {
		return this.world.hosts.flatMap(({ publisher }) => publisher.publications);
	}

	get starts(): Start[] {
		return this.world.hosts.flatMap(({ starts }) => starts);
	}

	/** All runs that have ended. */
	get runs(): Array<{ run: Run; account: Account; end: number }> {
		return this.world.accounts.flatMap((account) =>
			[...account.ends].flatMap(([id, end]) => {
				const run = account.past.runs.get(id);
				return run ? [{ run, account, end }] : [];
			}),
		);
	}

	/** Whether the log contains a warning or an error in this period. */
	hasWarned(from: number, to: number): boolean {
		return this.logs.some(({ at }) => from <= at && at <= to);
	}

	/** Adds the disturbances that the parts of the world have recorded. */
	collect(): void {
		for (const host of this.world.hosts) {
			const add = (from: number, to: number) => this.disturbances.push({ from, to, host });
			for (const { from, to } of host.outages) add(from, to + 10_000);
			for (const { from, to } of host.database.troubles) add(from, to + 30_000);
			for (const at of host.failedStores) add(at - 1000 * host.settings.storing - 1000, at + 1000);
			for (const { workflowId, began, succeeded, failed } of host.publisher.publications) {
				const to = (succeeded ?? failed?.at ?? began) + 5_000;
				this.disturbances.push({ from: began, to, host, workflowId });
			}
		}
	}

	/** Records what is published, and which webhooks exist. */
	checkEntries(): void {
		for (const one of this.publications) {
			const isLive = one.host.publisher.publicationOf(one.workflowId) === one && !one.ended;
			if (isLive && one.succeeded !== undefined) this.live.push(one);
		}
		for (const { robotId, url } of this.webhooksNow()) this.webhooks.push({ robotId, url });
	}

	/** Maxun's webhooks by URL without a query, except other programs' webhooks. */
	webhooksNow(): Array<{ robotId: string; url: string; active: boolean }> {
		return this.world.accounts.flatMap(({ robots }) =>
			[...robots.values()].flatMap(({ id, webhooks }) =>
				webhooks
					.filter(({ url }) => !url.startsWith(FOREIGN))
					.map(({ url, active }) => ({ robotId: id, url: url.split('?')[0] ?? url, active })),
			),
		);
	}

	/** The selected robots that lack a trigger's webhook. */
	missingWebhooks({ trigger, host }: Publication): string[] {
		if (!hasWebhooks(trigger)) return [];
		const { account, robotIds } = selectionOf(trigger);
		const robots = this.world.accounts.find(({ own }) => own.name === account)?.robots;
		const url = `${host.settings.publicUrl}${pathOf(trigger)}`;
		const has = (id: string) =>
			robots?.get(id)?.webhooks.some((one) => one.active && one.url.split('?')[0] === url);
		return robotIds.filter((id) => !has(id));
	}

	private checkRegistration(publication: Publication): void {
		// Somebody may have removed all webhooks of a robot in the meantime.
		const robotIds = this.missingWebhooks(publication).filter((id) => !this.cleared.has(id));
		if (robotIds.length > 0) this.unregistered.push({ publication, robotIds });
	}
}
