import { CONCURRENCY, mapConcurrently } from '../http/concurrency';
import { faultOf, MaxunFault, recover } from '../http/fault';
import type { RobotFault } from '../servers/eachRobot';
import { Webhook } from '../servers/entities';
import { readTestOutcome, type TestOutcome } from '../servers/testOutcome';
import { WEBHOOKS_PER_ROBOT, type MaxunServer, type WebhookFields } from '../servers/types';
import type { TriggerMemory } from './memory';
import { robotsWithout, webhookUrl, type TriggerRecord } from './record';
import { withIds } from './robots';
import type { TriggerSettings } from './settings';
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

/** Maxun sends no events for canceled runs. */
const eventsOf = ({ events }: TriggerSettings) => events.filter((event) => event !== 'run_aborted');

/** Whether Maxun reports all runs to the trigger, as far as the trigger's record shows. */
export function reportsAll(trigger: TriggerNode, settings: TriggerSettings): boolean {
	const { events, robotIds } = settings;
	const record = trigger.record();
	const isReached = record.isReached === true || trigger.memory.isRung;
	if (!isReached || events.includes('run_aborted') || robotIds.length === 0) return false;
	return robotsWithout(record, robotIds, eventsOf(settings)).length === 0;
}

/** Logs why the trigger polls, once. */
export const tellPolling = (trigger: TriggerNode, reason: string | undefined): boolean =>
	trigger.tell('webhooks', reason === undefined ? '' : `The trigger polls, because ${reason}`);

/**
 * Adds the missing webhooks, and logs why the trigger polls. Continues where an earlier call has stopped.
 *
 * @param until when to stop beginning with another robot, in epoch milliseconds
 */
export async function addWebhooks(
	trigger: TriggerNode,
	given: TriggerSettings,
	maxun: MaxunServer,
	until: number,
): Promise<void> {
	const settings = withIds(given, trigger.record());
	const adding = trigger.inTurn(
		'webhooks',
		async () => await addMissing(trigger, settings, maxun, until),
	);
	tellPolling(trigger, await recover(adding, { any: ({ text }) => text }));
}

/**
 * Adds the missing webhooks, and makes Maxun send a sample event.
 *
 * @returns why the trigger polls; undefined if Maxun reaches it, or if the user doesn't want webhooks
 */
async function addMissing(
	trigger: TriggerNode,
	settings: TriggerSettings,
	maxun: MaxunServer,
	until: number,
): Promise<string | undefined> {
	const memory = trigger.memory;
	memory.hasOpenWebhooks = false;
	const { url } = trigger.record();
	const events = eventsOf(settings);
	const { robotIds, pollOnly } = settings;
	if (pollOnly || robotIds.length === 0 || events.length === 0 || !url) return undefined;
	const obstacle = maxun.unreachable(url);
	if (obstacle) return `its URL ${url} ${obstacle}. ${PUBLIC_URL}`;
	const webhooks = new Webhooks(trigger, maxun, url);
	const open = robotsWithout(trigger.record(), robotIds, events);
	// If Maxun doesn't reach the first one, the others are useless.
	const faults = await webhooks.add(open.slice(0, 1), events, until);
	let reason = await checkReach(trigger, webhooks, url);
	if (trigger.record().isReached !== false) {
		faults.push(...(await webhooks.add(open.slice(1), events, until)));
		reason ??= await checkReach(trigger, webhooks, url);
	}
	memory.hasOpenWebhooks = faults.some(({ fault }) => fault.temporary);
	for (const { robotId, fault } of faults) {
		const message = `Robot '${robotId}' has no webhook: ${fault.text}`;
		if (!fault.temporary) trigger.tell(`webhook on ${robotId}`, message);
	}
	const [temporary] = faults.filter(({ fault }) => fault.temporary);
	const which = faults.length < robotIds.length ? 'not all robots have' : 'no robot has';
	const cause = temporary ? `. ${temporary.fault.text}` : '';
	return reason ?? (faults.length > 0 ? `${which} its webhook${cause}` : undefined);
}

const PUBLIC_URL =
	'To start the workflow within seconds, give n8n a public URL and set it as N8N_WEBHOOK_URL (WEBHOOK_URL in older n8n versions). Then publish the workflow again';

/** Makes Maxun send a sample event, unless one has arrived at this URL. @returns why it may not arrive */
async function checkReach(
	trigger: TriggerNode,
	webhooks: Webhooks,
	url: string,
): Promise<string | undefined> {
	const { isReached: isKnown, webhooks: known } = trigger.record();
	const sample = known.find((webhook) => webhook.url !== '');
	if (isKnown === true || !sample) return undefined;
	const { isReached, detail } = await webhooks.isReached(sample.robotId);
	trigger.saveRecord({ isReached });
	if (isReached === undefined) return `Maxun does not say whether it reaches ${url}. ${detail}`;
	if (isReached) return undefined;
	await webhooks.remove([sample.robotId]);
	return `Maxun cannot reach ${url}. ${detail}. ${PUBLIC_URL}`;
}

/**
 * A trigger's webhooks: exactly one on each robot. The record's IDs and the URL without its query identify them, because
 * a copy of the workflow has another URL and must not change them. All methods can be called several times.
 */
export class Webhooks {
	private readonly memory: TriggerMemory;

	constructor(
		private readonly trigger: TriggerNode,
		private readonly maxun: MaxunServer,
		private readonly url: string,
	) {
		this.memory = trigger.memory;
	}

	/**
	 * Adds the trigger's webhook to robots, or changes it.
	 *
	 * @param until when to stop beginning with another robot, in epoch milliseconds
	 * @returns why robots have none
	 */
	async add(robotIds: string[], events: string[], until: number): Promise<RobotFault[]> {
		return await this.each(robotIds, async (robotId) => {
			const isCurrent = this.trigger.memory === this.memory;
			if (Date.now() > until || !isCurrent) throw noTime();
			const url = webhookUrl(this.url, robotId);
			const fields = { ...SETTINGS, url, events };
			const id = await this.set(robotId, fields, true);
			this.note(robotId, { id, url, events: events.join() });
		});
	}

	/** Turns webhooks off, so that the robots send nothing. @returns the robots whose webhook may still be on */
	async turnOff(robotIds: string[]): Promise<RobotFault[]> {
		const faults = await this.each(robotIds, async (robotId) => {
			await this.set(robotId, { active: false }, false);
		});
		return faults.filter(({ fault }) => !fault.isNotFound && !fault.missingRoute);
	}

	/** Deletes webhooks that were only needed for a test, or that Maxun doesn't reach. */
	async remove(robotIds: string[]): Promise<RobotFault[]> {
		return await this.each(robotIds, async (robotId) => {
			const id = this.known(robotId)?.id || (await this.find(robotId)).own?.id;
			this.note(robotId);
			if (!id) return;
			await recover(this.maxun.webhooks.delete(robotId, id), {
				notFound: () => undefined,
				// Team members may not delete webhooks.
				forbidden: async () => await this.maxun.webhooks.update(robotId, id, { active: false }),
			});
		});
	}

	/**
	 * Makes the server send a sample event.
	 *
	 * @returns whether it reached the trigger (undefined if the server doesn't report this), and the server's words
	 */
	async isReached(robotId: string): Promise<{ isReached?: boolean; detail: string }> {
		const { test } = this.maxun.webhooks;
		if (!test) return { detail: 'Maxun cannot send a sample event' };
		const sending = this.find(robotId).then(async ({ own }) =>
			readTestOutcome(own && (await test(robotId, own.id))),
		);
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

	/** Changes the trigger's webhook, or adds it if it is needed. @returns its ID; empty if there is none */
	private async set(robotId: string, fields: WebhookFields, isNeeded: boolean): Promise<string> {
		const { create, update } = this.maxun.webhooks;
		const change = async (id = '') =>
			id === ''
				? undefined
				: await recover(
						update(robotId, id, fields).then(() => id),
						{ notFound: () => undefined },
					);
		const changed = await change(this.known(robotId)?.id);
		if (changed !== undefined) return changed;
		const { own, count } = await this.find(robotId);
		const found = await change(own?.id);
		if (found !== undefined || !isNeeded) return found ?? '';
		if (count >= WEBHOOKS_PER_ROBOT) throw tooMany();
		return Webhook.parse(await create(robotId, fields)).id;
	}

	private async find(robotId: string): Promise<{ own?: Webhook; count: number }> {
		const listed = await this.maxun.webhooks.list(robotId);
		const all = listed.map((webhook) => Webhook.parse(webhook));
		const own = all.find(({ url }) => withoutQuery(url) === withoutQuery(this.url));
		return { own, count: all.length };
	}

	private known(robotId: string) {
		return this.trigger.record().webhooks.find((webhook) => webhook.robotId === robotId);
	}

	/** Notes a robot's webhook, or that it has none. */
	private note(
		robotId: string,
		webhook?: Omit<TriggerRecord['webhooks'][number], 'robotId'>,
	): void {
		const others = this.trigger.record().webhooks.filter((other) => other.robotId !== robotId);
		const webhooks = webhook ? [...others, { robotId, ...webhook }] : others;
		this.trigger.saveRecord({ webhooks });
	}
}

/** Servers may write a URL differently from n8n, for example its host. */
const withoutQuery = (url: string) =>
	URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : url;

const noTime = () =>
	new MaxunFault('there was no time left to add it', 'The next polls continue', {
		temporary: true,
	});

const tooMany = () =>
	new MaxunFault(
		`it already has ${WEBHOOKS_PER_ROBOT} webhooks, which is the maximum`,
		'Delete a webhook that you no longer need, in Maxun or with Webhook: Delete',
	);
