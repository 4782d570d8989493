import { CONCURRENCY, mapConcurrently } from '../http/concurrency';
import { faultOf, MaxunFault, recover } from '../http/fault';
import type { RobotFault } from '../servers/eachRobot';
import { Webhook } from '../servers/entities';
import { readTestOutcome, type TestOutcome } from '../servers/testOutcome';
import { WEBHOOKS_PER_ROBOT, type MaxunServer } from '../servers/types';
import type { TriggerNode } from './triggerNode';

/**
 * Maxun's highest number of attempts: delays double from 5 seconds, so n8n can be offline for 42 minutes. `timeout` is
 * the time that n8n has to respond, in seconds.
 */
const SETTINGS = { active: true, retryAttempts: 10, retryDelay: 5, timeout: 30 };

/**
 * The status of the trigger's response to a sample event. Nothing else, such as a proxy at another URL, returns this
 * status by chance.
 */
export const SAMPLE_STATUS = 202;

/**
 * A trigger's webhooks: exactly one on each robot. The URL without its query identifies them, because a copy of the
 * workflow has another URL and must not change them. All methods can be called several times.
 */
export class Registration {
	constructor(
		private readonly trigger: TriggerNode,
		private readonly maxun: MaxunServer,
		private readonly url: string,
	) {}

	/**
	 * Registers the trigger on robots. The URL contains the robot.
	 *
	 * @param until when to stop beginning with another robot, in epoch milliseconds
	 * @returns the robots that have the webhook, and why others have none
	 */
	async add(robotIds: string[], events: string[], until: number) {
		const added: string[] = [];
		const faults = await this.each(robotIds, async (robotId) => {
			if (Date.now() > until) throw new MaxunFault('there was no time left to add it', '');
			await this.addTo(robotId, events);
			added.push(robotId);
		});
		return { added, faults };
	}

	/**
	 * Removes the trigger from robots. @returns the robots whose webhook could not be removed; a missing webhook counts
	 * as removed
	 */
	async remove(robotIds: string[]): Promise<RobotFault[]> {
		const faults = await this.each(robotIds, async (robotId) => await this.removeFrom(robotId));
		return faults.filter(({ fault }) => !fault.isNotFound && !fault.missingRoute);
	}

	/**
	 * Makes the server send a sample event.
	 *
	 * @returns whether it reached the trigger (undefined if the server doesn't report this), and the server's words
	 */
	async isReached(robotId: string): Promise<{ isReached?: boolean; detail: string }> {
		const { test } = this.maxun.webhooks;
		if (!test) return { detail: 'Maxun cannot send a sample event' };
		const sending = this.list(robotId).then(async (all) => {
			const own = all.find((webhook) => this.isOurs(webhook));
			return readTestOutcome(own && (await test(robotId, own.id)));
		});
		// A lost response doesn't show whether Maxun reached n8n.
		const unclear = ({ description }: MaxunFault): TestOutcome => ({ detail: description });
		const { status, isAccepted, detail } = await recover(sending, {
			mayHaveHappened: unclear,
			temporary: unclear,
			any: ({ description }) => readTestOutcome({ error: description }),
		});
		if (status === undefined) return { isReached: isAccepted, detail };
		const answer = `Maxun received status ${status} from the URL. ${detail}`.trim();
		return { isReached: status === SAMPLE_STATUS, detail: answer };
	}

	private async each(
		robotIds: string[],
		work: (robotId: string) => Promise<void>,
	): Promise<RobotFault[]> {
		const faults = await mapConcurrently(robotIds, CONCURRENCY, async (robotId) => {
			const fault = await faultOf(work(robotId));
			return fault ? [{ robotId, fault }] : [];
		});
		return faults.flat();
	}

	private async addTo(robotId: string, events: string[]): Promise<void> {
		const { webhooks } = this.maxun;
		const all = await this.list(robotId);
		const [first, ...duplicates] = all.filter((webhook) => this.isOurs(webhook));
		for (const { id } of duplicates) await this.delete(robotId, id);
		const url = `${this.url}?${new URLSearchParams({ robot: robotId }).toString()}`;
		const fields = { ...SETTINGS, url, events };
		if (!first && all.length >= WEBHOOKS_PER_ROBOT) throw tooMany();
		if (first) await webhooks.update(robotId, first.id, fields);
		else await webhooks.create(robotId, fields);
	}

	private async removeFrom(robotId: string): Promise<void> {
		const own = (await this.list(robotId)).filter((webhook) => this.isOurs(webhook));
		for (const { id } of own) {
			await recover(this.delete(robotId, id), {
				// Team members may not delete webhooks.
				forbidden: async ({ message }) => {
					await this.maxun.webhooks.update(robotId, id, { active: false });
					this.trigger.warn(
						`The webhook on robot '${robotId}' was turned off, but not deleted: ${message}. It sends no events. Delete it in Maxun if you don't publish this workflow again`,
					);
				},
			});
		}
	}

	private async delete(robotId: string, webhookId: string): Promise<void> {
		const deleting = this.maxun.webhooks.delete(robotId, webhookId);
		await recover(deleting, { notFound: () => undefined });
	}

	private async list(robotId: string): Promise<Webhook[]> {
		const listed = await this.maxun.webhooks.list(robotId);
		return listed.map((webhook) => Webhook.parse(webhook));
	}

	private isOurs({ url }: Webhook): boolean {
		return withoutQuery(url) === withoutQuery(this.url);
	}
}

/** Servers may write a URL differently from n8n, for example its host. */
const withoutQuery = (url: string) =>
	URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : url;

const tooMany = () =>
	new MaxunFault(
		`it already has ${WEBHOOKS_PER_ROBOT} webhooks, which is the maximum`,
		'Delete a webhook that you no longer need, in Maxun or with Webhook: Delete, then publish the workflow again',
	);
