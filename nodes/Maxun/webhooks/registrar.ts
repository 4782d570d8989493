import { mapConcurrently } from '../http/concurrency';
import { faultOf, MaxunFault, recover } from '../http/fault';
import { withoutUndefined } from '../http/request';
import { Webhook } from '../servers/entities';
import { WEBHOOKS_PER_ROBOT, type MaxunServer, type WebhookFields } from '../servers/types';

/** A robot that gets a webhook, and its server. */
export interface WebhookTarget {
	maxun: MaxunServer;
	robotId: string;
}

/** The webhook that one owner (a trigger or a paused execution) needs on each of its robots. */
export interface OwnWebhook<T extends WebhookTarget> {
	fields(target: T): WebhookFields & { url: string; events: string[] };
	/** Whether the owner registered this webhook, even if it has changed since. */
	isOwn(webhook: Webhook, target: T): boolean;
	/** Whether the owner's webhook has the right settings; by default all fields must match. */
	isCurrent?(webhook: Webhook): boolean;
	/**
	 * How to resume a webhook that was paused because it could not be deleted. If undefined, webhooks are never paused.
	 */
	readonly afterPause?: string;
	/** Called with all webhooks of a robot before one is registered. */
	review?(all: Webhook[], target: T): void;
	/** Called if Maxun doesn't find a robot or its webhook to remove it, perhaps only at the moment. */
	notFound?(target: T): void;
	/** Whether another owner in this n8n no longer needs its webhook, so that it can be deleted. */
	isAbandoned?(webhook: Webhook): Promise<boolean>;
}

/** A robot whose webhook could not be changed, and why. */
export interface Refusal<T extends WebhookTarget> {
	target: T;
	fault: MaxunFault;
}

/** The maximum that Maxun allows. Delays double from 5 seconds, so n8n can be offline for 42 minutes. */
export const WEBHOOK_RETRY = { retryAttempts: 10, retryDelay: 5 };

/**
 * Registers and removes exactly one webhook of an owner on each robot. Methods can be called repeatedly and in any
 * order.
 */
export class WebhookRegistrar<T extends WebhookTarget> {
	/** @param concurrency maximum number of robots at a time */
	constructor(
		private readonly own: OwnWebhook<T>,
		private readonly concurrency: number,
	) {}

	/** Whether each robot has exactly one webhook of the owner, with the right settings. */
	async isComplete(targets: T[]): Promise<boolean> {
		const found = await mapConcurrently(targets, this.concurrency, async (target) => {
			// A server without webhooks has none of ours. Registering explains what to do.
			const { own } = await recover(this.find(target), { missingRoute: () => ({ own: [] }) });
			return own.length === 1 && this.isCurrent(own[0], target);
		});
		return found.every(Boolean);
	}

	/**
	 * Registers on all robots or on none.
	 *
	 * @returns the webhook IDs by robot, or the refusals; `left` are webhooks that could not be removed again
	 */
	async register(
		targets: T[],
	): Promise<
		{ ids: Record<string, string> } | { refused: Array<Refusal<T>>; left: Array<Refusal<T>> }
	> {
		const added: T[] = [];
		const ids: Record<string, string> = {};
		const refused: Array<Refusal<T>> = [];
		await mapConcurrently(targets, this.concurrency, async (target) => {
			const registering = this.registerOn(target).then(({ id, isNew }) => {
				ids[target.robotId] = id;
				if (isNew) added.push(target);
			});
			const fault = await faultOf(registering);
			if (fault) refused.push({ target, fault });
		});
		return refused.length === 0 ? { ids } : { refused, left: await this.remove(added) };
	}

	/**
	 * Removes the owner's webhooks. Pauses a webhook that can be changed but not deleted.
	 *
	 * @returns what could not be removed; a robot or webhook that no longer exists counts as removed
	 */
	async remove(targets: T[]): Promise<Array<Refusal<T>>> {
		const left: Array<Refusal<T>> = [];
		await mapConcurrently(targets, this.concurrency, async (target) => {
			const fault = await faultOf(this.removeFrom(target));
			if (fault) left.push({ target, fault });
		});
		return left;
	}

	private async registerOn(target: T): Promise<{ id: string; isNew: boolean }> {
		const { robotId } = target;
		const { all, own } = await this.find(target);
		this.own.review?.(all, target);
		target.maxun.throwIfCancelled();
		// A change that a cancellation aborts could still arrive, after the owner's webhooks were removed.
		const maxun = target.maxun.creating();
		const lasting = { ...target, maxun };
		const [first, ...duplicates] = own;
		for (const { id } of duplicates) await this.delete(lasting, id);
		if (first) {
			if (!this.isCurrent(first, target)) {
				await maxun.webhooks.update(robotId, first.id, this.own.fields(target));
			}
			return { id: first.id, isNew: false };
		}
		if ((await this.countUsed(lasting, all)) >= WEBHOOKS_PER_ROBOT) throw tooMany();
		const created = await maxun.webhooks.create(robotId, this.own.fields(target));
		const webhook = Webhook.safeParse(created);
		if (webhook.success && webhook.data.id !== '') return { id: webhook.data.id, isNew: true };
		const [listed] = (await this.find(target)).own;
		return { id: listed?.id ?? '', isNew: true };
	}

	/** Counts the webhooks of a robot after deleting abandoned ones. */
	private async countUsed(target: T, all: Webhook[]): Promise<number> {
		let used = all.length;
		for (const webhook of all) {
			if (!(await this.own.isAbandoned?.(webhook))) continue;
			await this.delete(target, webhook.id);
			used--;
		}
		return used;
	}

	private async removeFrom(target: T): Promise<void> {
		const nothing = () => {
			this.own.notFound?.(target);
			return { own: [] };
		};
		const { own } = await recover(this.find(target), { notFound: nothing, missingRoute: nothing });
		for (const { id } of own) {
			await recover(this.delete(target, id), {
				forbidden: async (fault) => {
					throw this.own.afterPause ? await this.pause(target, id, fault) : fault;
				},
			});
		}
	}

	/** Pauses a webhook that may not be deleted. @returns the fault to report, because the webhook still exists */
	private async pause(target: T, webhookId: string, fault: MaxunFault): Promise<MaxunFault> {
		const { maxun, robotId } = target;
		await maxun.webhooks.update(robotId, webhookId, { active: false });
		return new MaxunFault(
			`The webhook on robot ${await nameOf(target)} was paused, not removed: ${fault.message}`,
			`It sends no events. ${this.own.afterPause ?? ''}. ${fault.description}`,
			fault,
		);
	}

	private async delete(target: T, webhookId: string): Promise<void> {
		await recover(target.maxun.webhooks.delete(target.robotId, webhookId), {
			notFound: () => this.own.notFound?.(target),
		});
	}

	private async find(target: T): Promise<{ all: Webhook[]; own: Webhook[] }> {
		const listed = await target.maxun.webhooks.list(target.robotId);
		const all = listed.map((webhook) => Webhook.parse(webhook));
		return { all, own: all.filter((webhook) => this.own.isOwn(webhook, target)) };
	}

	/** A retry setting that the server doesn't return counts as correct. */
	private isCurrent(webhook: Webhook, target: T): boolean {
		if (this.own.isCurrent) return this.own.isCurrent(webhook);
		const { url, events, active = true, ...settings } = this.own.fields(target);
		const actual = { ...settings, ...withoutUndefined({ ...webhook }) };
		return (
			webhook.url === url &&
			(webhook.active !== false) === active &&
			[...(webhook.events ?? [])].sort().join() === [...events].sort().join() &&
			Object.entries(settings).every(([name, value]) => Reflect.get(actual, name) === value)
		);
	}
}

/** The name of the robot for messages, or its ID. */
export async function nameOf({ maxun, robotId }: WebhookTarget): Promise<string> {
	const robot = await maxun.robots.get(robotId).catch(() => undefined); // must not hide why it is needed
	return robot?.name ? `'${robot.name}'` : robotId;
}

const tooMany = () =>
	new MaxunFault(
		`the robot already has the maximum of ${WEBHOOKS_PER_ROBOT} webhooks`,
		'Delete a webhook that is no longer needed in Maxun or with Webhook: Delete, then try again',
	);
