import { CONCURRENCY } from '../http/concurrency';
import { MaxunFault } from '../http/fault';
import type { Webhook } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import {
	nameOf,
	WEBHOOK_RETRY,
	WebhookRegistrar,
	type OwnWebhook,
	type WebhookTarget,
} from '../webhooks/registrar';
import type { RunEvent } from './event';
import { SECRET_PARAMETER } from './secret';

interface WebhookSettings {
	/**
	 * The trigger's URL in n8n, without the secret. Only the URL identifies the trigger's webhooks. A copy of the
	 * workflow in another n8n has the same saved IDs, but must not change the original's webhooks.
	 */
	url: string;
	secret: string;
	events: RunEvent[];
	/** Webhook IDs that were registered before, by robot. */
	webhookIds: Record<string, string>;
	/** Writes to n8n's log. */
	warn(message: string): void;
}

/** Saved instead of the webhook ID of a robot that was not found. It may be deleted, or exist again later. */
export const MISSING = 'missing';

/** Seconds that Maxun waits for n8n to respond. */
const DELIVERY_TIMEOUT = 30;

/** The webhooks of one trigger: exactly one on each robot. */
export class TriggerWebhooks implements OwnWebhook<WebhookTarget> {
	readonly afterPause = 'Publish the workflow again to activate it';
	/** Robots that were not found when their webhooks were to be removed, with `MISSING` instead of a webhook ID. */
	readonly missing: Record<string, string> = {};
	private readonly registrar = new WebhookRegistrar<WebhookTarget>(this, CONCURRENCY);

	constructor(
		private readonly maxun: MaxunServer,
		private readonly settings: WebhookSettings,
	) {}

	fields() {
		const { url, secret, events } = this.settings;
		return {
			url: withSecret(url, secret),
			events,
			active: true,
			...WEBHOOK_RETRY,
			timeout: DELIVERY_TIMEOUT,
		};
	}

	isOwn({ url }: Webhook): boolean {
		return withoutQuery(url) === this.settings.url;
	}

	/** Logs a webhook that the trigger registered with another URL, or that someone changed. */
	review(all: Webhook[], { robotId }: WebhookTarget): void {
		const { webhookIds, warn } = this.settings;
		const former = all.find(({ id }) => id !== '' && id === webhookIds[robotId]);
		if (!former || this.isOwn(former)) return;
		warn(
			`Robot '${robotId}' has a webhook with the former URL ${withoutQuery(former.url)}. Delete it in Maxun if no n8n uses it`,
		);
	}

	notFound({ robotId }: WebhookTarget): void {
		this.missing[robotId] = MISSING;
	}

	/** Whether each robot has exactly one webhook of the trigger, with the right settings. */
	async isComplete(robotIds: string[]): Promise<boolean> {
		return await this.registrar.isComplete(this.targets(robotIds));
	}

	/**
	 * Registers on all robots or on none.
	 *
	 * @returns the webhook IDs by robot
	 * @throws MaxunFault that names the robots that refused, the URL, and what could not be removed again
	 */
	async register(robotIds: string[]): Promise<Record<string, string>> {
		const result = await this.registrar.register(this.targets(robotIds));
		if ('ids' in result) return result.ids;
		const { refused, left } = result;
		const names = await Promise.all(refused.map(async ({ target }) => await nameOf(target)));
		const [{ fault }] = refused;
		const remainder = left[0]?.fault.message ?? 'No webhook was added to any robot';
		throw new MaxunFault(
			`No webhook could be registered on robot ${names.join(', ')}: ${fault.message}`,
			`${fault.description}. The URL is ${this.settings.url}. ${remainder}`,
			fault,
		).without(this.settings.secret, '[secret]');
	}

	/** @throws MaxunFault if a webhook could not be removed */
	async remove(robotIds: string[]): Promise<void> {
		const [left] = await this.registrar.remove(this.targets(robotIds));
		if (left) throw left.fault;
	}

	private targets(robotIds: string[]): WebhookTarget[] {
		return robotIds.map((robotId) => ({ maxun: this.maxun, robotId }));
	}
}

/** The trigger's URL with a secret. */
export const withSecret = (url: string, secret: string) => `${url}?${SECRET_PARAMETER}=${secret}`;

const withoutQuery = (url: string) => url.split('?')[0];
