import { sleep } from 'n8n-workflow';
import { CONCURRENCY, mapConcurrently } from '../http/concurrency';
import { faultOf, MaxunFault, recover } from '../http/fault';
import { MINUTE } from '../http/time';
import type { RobotFault } from '../servers/eachRobot';
import { Webhook } from '../servers/entities';
import { readTestOutcome, type TestOutcome } from '../servers/testOutcome';
import { WEBHOOKS_PER_ROBOT, type MaxunServer } from '../servers/types';
import type { TriggerNode } from './triggerNode';

/**
 * Maxun repeats an event as often as it allows. Delays double from 5 seconds, so n8n can be offline for 42 minutes. Then
 * the seconds that Maxun waits for n8n to respond.
 */
const SETTINGS = { active: true, retryAttempts: 10, retryDelay: 5, timeout: 30 };

/** Milliseconds after which the editor is ready for an event. */
const EDITOR_READY = 1000;

/** How often to send a sample event, once a minute. */
const ATTEMPTS = 10;

/**
 * The status with which the trigger answers a sample event. Nothing else answers so by chance, for example a proxy in
 * front of another URL.
 */
export const SAMPLE_STATUS = 202;

/** Whether the server reports that the trigger has received the sample event. */
export const isReceived = ({ status, isAccepted }: Partial<TestOutcome> = {}): boolean =>
	status === undefined ? isAccepted === true : status === SAMPLE_STATUS;

/** Does something with each robot. @returns what failed */
export async function faultsOf(
	robotIds: string[],
	work: (robotId: string) => Promise<void>,
): Promise<RobotFault[]> {
	const faults = await mapConcurrently(robotIds, CONCURRENCY, async (robotId) => {
		const fault = await faultOf(work(robotId));
		return fault ? [{ robotId, fault }] : [];
	});
	return faults.flat();
}

/**
 * The webhooks of one trigger: exactly one on each robot. Only the URL without its query identifies them: a copy of the
 * workflow has another URL and must not change them. All methods can be repeated.
 */
export class Registration {
	constructor(
		private readonly trigger: TriggerNode,
		private readonly maxun: MaxunServer,
		private readonly url: string,
	) {}

	/**
	 * Registers the trigger on a robot.
	 *
	 * @param addressFor returns the URL with its query, given the URL of an active webhook that is there already
	 */
	async add(
		robotId: string,
		events: string[],
		addressFor: (registered: string | undefined) => Promise<string>,
	): Promise<void> {
		const { webhooks } = this.maxun;
		const all = await this.list(robotId);
		const [first, ...duplicates] = all.filter((webhook) => this.isOwn(webhook));
		for (const { id } of duplicates) await this.delete(robotId, id);
		const registered = first?.active === false ? undefined : first?.url;
		const fields = { ...SETTINGS, url: await addressFor(registered), events };
		if (!first && all.length >= WEBHOOKS_PER_ROBOT) throw tooMany();
		if (first) await webhooks.update(robotId, first.id, fields);
		else await webhooks.create(robotId, fields);
	}

	/** Removes the trigger from robots. @returns what could not be removed; a missing webhook counts as removed */
	async remove(robotIds: string[]): Promise<RobotFault[]> {
		return await faultsOf(robotIds, async (robotId) => await this.removeFrom(robotId));
	}

	/** Makes the server send a sample event. @returns what it reports; undefined if it can't send one */
	async requestSample(robotId: string): Promise<TestOutcome | undefined> {
		const { test } = this.maxun.webhooks;
		if (!test) return undefined;
		const send = async () => {
			const own = (await this.list(robotId)).find((webhook) => this.isOwn(webhook));
			return own && readTestOutcome(await test(robotId, own.id));
		};
		// A lost response doesn't show whether Maxun reached n8n.
		const unclear = ({ description }: MaxunFault) => ({ detail: description });
		return await recover(send(), {
			missingRoute: () => undefined,
			mayHaveHappened: unclear,
			temporary: unclear,
			any: ({ description }) => readTestOutcome({ error: description }),
		});
	}

	/**
	 * Sends a sample event a little later, which starts a search for missed runs. Maxun doesn't repeat sample events, so this
	 * does, until the trigger has surely received one. If n8n stops in the meantime, the next event searches.
	 */
	async sendSampleLater(robotId: string): Promise<void> {
		for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
			await sleep(attempt === 1 ? EDITOR_READY : MINUTE);
			if (await this.sendSample(robotId).catch(() => false)) return;
		}
		this.trigger.warn(
			'No sample event could be sent. The search for missed runs continues with the next event',
		);
	}

	/** @returns whether no other attempt is needed, or none can succeed */
	private async sendSample(robotId: string): Promise<boolean> {
		if (this.maxun.webhooks.test) {
			const outcome = await this.requestSample(robotId);
			return !outcome || isReceived(outcome);
		}
		await this.trigger.post(this.url, { event_type: 'webhook_test' });
		return true;
	}

	private async removeFrom(robotId: string): Promise<void> {
		const own = (await this.list(robotId)).filter((webhook) => this.isOwn(webhook));
		for (const { id } of own) {
			await recover(this.delete(robotId, id), {
				// Members of a team may not delete webhooks.
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

	private isOwn({ url }: Webhook): boolean {
		return withoutQuery(url) === withoutQuery(this.url);
	}
}

/** Servers may write a URL in another way than n8n, for example its host. */
const withoutQuery = (url: string) =>
	URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : url;

const tooMany = () =>
	new MaxunFault(
		`the robot already has ${WEBHOOKS_PER_ROBOT} webhooks, which is the maximum`,
		'Delete a webhook that you no longer need, in Maxun or with Webhook: Delete, then try again',
	);
