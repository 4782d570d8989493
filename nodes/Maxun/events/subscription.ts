import { z } from 'zod';
import type { Webhook } from '../api/entities';
import { MaxunFault } from '../api/fault';
import {
	createWebhook,
	deleteWebhook,
	getWebhooks,
	updateWebhook,
	Webhooks,
	type RunEvent,
} from '../api/webhooks';
import { mapConcurrently } from '../core/concurrency';
import type { Call } from '../core/transport';
import { SECRET_PARAMETER } from './secret';

export interface SubscriptionSettings {
	/** The trigger's own address in n8n, without the secret. It tells our webhooks from all others. */
	address: string;
	secret: string;
	events: RunEvent[];
}

/** A webhook is tried as often as the service allows: with doubling delays that bridges most of an hour. */
const RETRY_ATTEMPTS = 10;

const CONCURRENCY = 5;

/**
 * The webhooks of one trigger on its robots: exactly one each, told by its address. Every method may be called in any
 * order and any number of times.
 */
export class Subscription {
	constructor(
		private readonly call: Call,
		private readonly settings: SubscriptionSettings,
	) {}

	/** Whether each robot has our webhook, just once and as it should be. */
	async isComplete(robotIds: string[]): Promise<boolean> {
		const found = await mapConcurrently(
			robotIds,
			CONCURRENCY,
			async (robotId) => await this.own(robotId),
		);
		return found.every((webhooks) => webhooks.length === 1 && this.isRight(webhooks[0]));
	}

	/**
	 * Registers on all robots, or on none of them.
	 *
	 * @throws MaxunFault that names the robots that refused; what this call has added is removed again
	 */
	async register(robotIds: string[]): Promise<void> {
		const added: string[] = [];
		const refused: Array<{ robotId: string; fault: MaxunFault }> = [];
		await mapConcurrently(robotIds, CONCURRENCY, async (robotId) => {
			await this.registerOn(robotId).then(
				(isNew) => isNew && added.push(robotId),
				(fault: unknown) => {
					if (!(fault instanceof MaxunFault)) throw fault;
					refused.push({ robotId, fault });
				},
			);
		});
		if (refused.length === 0) return;
		await this.remove(added);
		const [{ fault }] = refused;
		const robots = refused.map(({ robotId }) => robotId).join(', ');
		throw new MaxunFault(
			`No webhook could be registered on robot ${robots}: ${fault.message}`,
			`${fault.description}. No robot has been changed`,
			fault,
		);
	}

	/** Removes our webhooks; what is gone already, robot or webhook, is as good. */
	async remove(robotIds: string[]): Promise<void> {
		await mapConcurrently(robotIds, CONCURRENCY, async (robotId) => {
			const webhooks = await gone(this.own(robotId));
			for (const { id } of webhooks ?? []) {
				await gone(this.call(deleteWebhook(robotId, id), z.unknown()));
			}
		});
	}

	/** @returns whether the robot had no webhook of ours before */
	private async registerOn(robotId: string): Promise<boolean> {
		const [first, ...others] = await this.own(robotId);
		for (const { id } of others) await gone(this.call(deleteWebhook(robotId, id), z.unknown()));
		if (!first) await this.call(createWebhook(robotId, this.fields()), z.unknown());
		else if (!this.isRight(first)) {
			await this.call(updateWebhook(robotId, first.id, this.fields()), z.unknown());
		}
		return !first;
	}

	private async own(robotId: string): Promise<Webhook[]> {
		const webhooks = await this.call(getWebhooks(robotId), Webhooks);
		return webhooks.filter(({ url }) => url.split('?')[0] === this.settings.address);
	}

	private isRight({ url, active, events, retryAttempts }: Webhook): boolean {
		const wanted = this.fields();
		return (
			url === wanted.url &&
			active !== false &&
			[...(events ?? [])].sort().join() === [...wanted.events].sort().join() &&
			(retryAttempts === undefined || retryAttempts === RETRY_ATTEMPTS)
		);
	}

	private fields() {
		const { address, secret, events } = this.settings;
		const url = `${address}?${SECRET_PARAMETER}=${secret}`;
		return { url, events, active: true, retryAttempts: RETRY_ATTEMPTS };
	}
}

/** What was found, or undefined where there is nothing any more. */
async function gone<T>(finding: Promise<T>): Promise<T | undefined> {
	return await finding.catch((fault: unknown) => {
		if (fault instanceof MaxunFault && fault.status === 404) return undefined;
		throw fault;
	});
}
