import { CONCURRENCY, mapConcurrently } from '../http/concurrency';
import { faultOf, MaxunFault, recover } from '../http/fault';
import type { RobotFault } from '../servers/eachRobot';
import { Webhook } from '../servers/entities';
import { readTestOutcome, type TestOutcome } from '../servers/testOutcome';
import { WEBHOOKS_PER_ROBOT, type MaxunServer, type WebhookFields } from '../servers/types';
import { requestLook } from './memory';
import { robotsWithout, webhookUrl, type Registered } from './record';
import { withIds } from './robots';
import type { Connected, TriggerSettings } from './settings';
import type { TriggerNode } from './triggerNode';

/** The first delay in seconds. Each further delay doubles, so n8n can be offline for 42 minutes. */
const SETTINGS = { active: true, retryAttempts: 10, retryDelay: 5, timeout: 30 };

/** The trigger's response to a sample event. Nothing else, such as a proxy, returns this status by chance. */
export const SAMPLE_STATUS = 202;

/** Maxun doesn't send events for canceled runs. */
const eventsOf = ({ events }: TriggerSettings) =>
	events.filter((event) => event !== 'run_canceled');

/** Whether events announce all runs that start the workflow. */
export function reportsAll(trigger: TriggerNode, settings: TriggerSettings): boolean {
	const { events, robotIds } = settings;
	const record = trigger.record();
	const isReached = record.isReached === true || trigger.memory.hasReceivedEvent;
	if (!isReached || events.includes('run_canceled') || robotIds.length === 0) return false;
	return robotsWithout(record, robotIds, eventsOf(settings)).length === 0;
}

/** A webhook processor may have received events. Its response to n8n's own sample event says so. */
export async function askProcessors(trigger: TriggerNode): Promise<void> {
	const { memory, instance } = trigger;
	const { url, isReached, webhooks } = trigger.record();
	if (!url || isReached !== undefined || memory.hasReceivedEvent || webhooks.length === 0) return;
	const answer = await trigger.sendSample(url);
	memory.hasReceivedEvent = answer?.n8n === instance && answer.hasReceivedEvent === true;
}

export const tellPolling = (trigger: TriggerNode, reason: string | undefined): boolean =>
	trigger.tell('webhooks', reason === undefined ? '' : `The trigger polls, because ${reason}`);

/** Adds the missing webhooks, and logs why the trigger polls. @param until when to leave the rest to polls */
export async function addWebhooks(connected: Connected, until: number): Promise<void> {
	const { trigger, given } = connected;
	const settings = withIds(given, trigger.record());
	const { memory } = trigger;
	// A hook may have unpublished the workflow in the meantime.
	const adding = trigger.inTurn('webhooks', async () =>
		trigger.memory === memory ? await addMissing(connected, settings, until) : undefined,
	);
	tellPolling(trigger, await recover(adding, { any: ({ text }) => text }));
}

/** @returns why the trigger polls; undefined if Maxun reaches it, or if the user doesn't want webhooks */
async function addMissing(
	{ trigger, maxun }: Connected,
	settings: TriggerSettings,
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
	const faults: RobotFault[] = [];
	// If Maxun doesn't reach one webhook, the others are useless.
	while (open.length > 0 && !addedWebhook(trigger) && !faults.some(isGeneral)) {
		faults.push(...(await webhooks.add(open.splice(0, 1), events, until)));
	}
	const reason = await checkReach(trigger, webhooks, url);
	if (addedWebhook(trigger) && trigger.record().isReached !== false) {
		faults.push(...(await webhooks.add(open, events, until)));
	}
	for (const { robotId, fault } of faults) {
		const message = `Robot '${robotId}' has no webhook: ${fault.text}`;
		if (!fault.temporary) trigger.tell(`webhook on ${robotId}`, message);
	}
	const temporary = faults.find(({ fault }) => fault.temporary);
	memory.hasOpenWebhooks = temporary !== undefined;
	const which = addedWebhook(trigger) ? 'not all robots have' : 'no robot has';
	const cause = temporary ? `. ${temporary.fault.text}` : '';
	return reason ?? (faults.length > 0 ? `${which} its webhook${cause}` : undefined);
}

const PUBLIC_URL =
	'To start the workflow within seconds, give n8n a public URL and set it as N8N_WEBHOOK_URL (WEBHOOK_URL in older n8n versions). Then publish the workflow again';

/** Whether other robots would fail, too. */
const isGeneral = ({ fault }: RobotFault) => fault.temporary || fault.status === 403;

const addedWebhook = (trigger: TriggerNode) =>
	trigger.record().webhooks.find(({ url }) => url !== '');

/** Makes Maxun send a sample event, unless one has arrived at this URL. @returns why it may not arrive */
async function checkReach(
	trigger: TriggerNode,
	webhooks: Webhooks,
	url: string,
): Promise<string | undefined> {
	const sample = addedWebhook(trigger);
	if (trigger.record().isReached === true || !sample) return undefined;
	const { isReached, detail } = await webhooks.isReached(sample);
	trigger.saveRecord({ isReached });
	if (isReached === undefined) return `Maxun does not say whether it reaches ${url}. ${detail}`;
	if (isReached) return undefined;
	await webhooks.remove(sample);
	return `Maxun cannot reach ${url}. ${detail}. ${PUBLIC_URL}`;
}

/** Ensures that each robot has a webhook. The ID in the record and the URL without its query identify it. */
export class Webhooks {
	constructor(
		private readonly trigger: TriggerNode,
		private readonly maxun: MaxunServer,
		private readonly url: string,
		private readonly memory = trigger.memory,
	) {}

	async add(robotIds: string[], events: string[], until: number): Promise<RobotFault[]> {
		return await this.each(robotIds, async (robotId) => {
			const isCurrent = this.trigger.memory === this.memory;
			if (Date.now() > until || !isCurrent) throw noTime();
			const url = webhookUrl(this.url, robotId);
			const fields = { ...SETTINGS, url, events };
			const id = await this.set(robotId, fields, true);
			this.note(robotId, { id, url, events: events.join() });
			// A run may have ended since the last search, while the webhook was off.
			requestLook(this.memory);
		});
	}

	/** Turns webhooks off, so that the robots don't send anything. @returns the robots whose webhook may still be on */
	async turnOff(robotIds: string[]): Promise<RobotFault[]> {
		const faults = await this.each(robotIds, async (robotId) => {
			await this.set(robotId, { active: false }, false);
		});
		return faults.filter(({ fault }) => !fault.isNotFound);
	}

	async remove({ robotId, id }: Registered): Promise<void> {
		this.note(robotId);
		await recover(this.maxun.webhooks.delete(robotId, id), {
			// Team members may not delete webhooks.
			forbidden: async () => {
				await faultOf(this.maxun.webhooks.update(robotId, id, { active: false }));
			},
			any: () => undefined,
		});
	}

	/** Makes the server send a sample event. `isReached` is undefined if the server doesn't say so. */
	async isReached({ robotId, id }: Registered): Promise<{ isReached?: boolean; detail: string }> {
		const { test } = this.maxun.webhooks;
		if (!test) return { detail: 'Maxun cannot send a sample event' };
		// A lost response doesn't show whether Maxun reached n8n.
		const unclear = ({ description }: MaxunFault): TestOutcome => ({ detail: description });
		const { status, isAccepted, detail } = await recover(test(robotId, id).then(readTestOutcome), {
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

	/** @returns the webhook's ID; empty if there is none */
	private async set(robotId: string, fields: WebhookFields, isNeeded: boolean): Promise<string> {
		const { create, list, update } = this.maxun.webhooks;
		const { webhooks: registered } = this.trigger.record();
		const known = registered.find((webhook) => webhook.robotId === robotId)?.id;
		const fault = known ? await faultOf(update(robotId, known, fields)) : undefined;
		if (fault && !fault.isNotFound) throw fault;
		if (known && !fault) return known;
		const listed = (await list(robotId)).map((webhook) => Webhook.parse(webhook));
		const own = listed.find(({ url }) => withoutQuery(url) === withoutQuery(this.url));
		if (own?.id) await update(robotId, own.id, fields);
		if (own?.id || !isNeeded) return own?.id ?? '';
		if (listed.length >= WEBHOOKS_PER_ROBOT) throw noRoom();
		return Webhook.parse(await create(robotId, fields)).id;
	}

	private note(robotId: string, webhook?: Omit<Registered, 'robotId'>): void {
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

const noRoom = () =>
	new MaxunFault(
		`it already has ${WEBHOOKS_PER_ROBOT} webhooks, which is the maximum`,
		'Delete a webhook that you no longer need, in Maxun or with Webhook: Delete',
	);
