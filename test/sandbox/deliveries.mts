import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { Background } from './background.mts';
import { messageOf } from './errors.mts';
import type { Delivery, DeliveryLogEntry, Robot, Run, Webhook, WebhookEvent } from './model.mts';
import { testPayload } from './payloads.mts';
import { announcements, SECOND_SHAPE_MS } from './self-hosted/payloads.mts';
import type { World } from './world.mts';

const LOG_CAPACITY = 2000;

interface Outcome {
	accepted: boolean;
	status?: number;
	error?: string;
}

export class Deliveries {
	private readonly agent = new Agent();
	private readonly background = new Background();

	constructor(private readonly world: World) {
		setMaxListeners(0, this.background.signal); // One listener for each delivery.
	}

	/** Sends an event for a completed or failed run to the robot's webhooks. Canceled runs don't have events. */
	announce(run: Run): void {
		if (run.status !== 'success' && run.status !== 'failed') return;
		const event: WebhookEvent = run.status === 'success' ? 'run_completed' : 'run_failed';
		const { state, settings, store } = this.world;
		const robot = this.world.robotOf(run);
		const wanted = robot?.webhooks.filter(({ active, events }) => active && events.includes(event));
		for (const webhook of wanted ?? []) {
			if (robot === undefined) return;
			const firstAt = Date.now() + settings.webhookDelaySeconds * 1000;
			for (const [index, payload] of announcements(this.world, run, robot, webhook).entries()) {
				const delivery: Delivery = {
					id: randomUUID(),
					webhookId: webhook.id,
					robotId: robot.id,
					runId: run.id,
					event,
					payload,
					attempts: 0,
					dueAt: new Date(firstAt + index * SECOND_SHAPE_MS).toISOString(),
				};
				state.deliveries.push(delivery);
				this.background.add(this.deliver(delivery));
			}
		}
		store.touch();
	}

	async test(robot: Robot, webhook: Webhook): Promise<Outcome> {
		const outcome = await this.post(webhook, testPayload(robot, webhook));
		const { status, error } = outcome;
		const about = { webhookId: webhook.id, robotId: robot.id, runId: '', event: 'webhook_test' };
		this.log({ ...about, url: webhook.url, attempt: 1, at: now(), status, error });
		return outcome;
	}

	resume(): void {
		for (const delivery of this.world.state.deliveries) this.background.add(this.deliver(delivery));
	}

	/** Stops sending. Pending deliveries stay in the state. */
	async close(): Promise<void> {
		await this.background.close();
		await this.agent.destroy();
	}

	private async deliver(delivery: Delivery): Promise<void> {
		const { signal } = this.background;
		while (true) {
			const wait = Date.parse(delivery.dueAt) - Date.now();
			await sleep(Math.max(0, wait), undefined, { signal }).catch(() => undefined);
			if (signal.aborted) return;
			const webhook = this.webhookOf(delivery);
			if (webhook === undefined || !webhook.active) break;
			const outcome = await this.attempt(delivery, webhook);
			if (signal.aborted && !outcome.accepted) return;
			delivery.attempts += 1;
			if (outcome.accepted) await this.sendCopies(delivery, webhook);
			if (outcome.accepted || delivery.attempts >= webhook.retryAttempts) break;
			const delay = webhook.retryDelay * 2 ** (delivery.attempts - 1);
			delivery.dueAt = new Date(Date.now() + delay * 1000).toISOString();
			this.world.store.touch();
		}
		const { deliveries } = this.world.state;
		const index = deliveries.indexOf(delivery);
		if (index >= 0) deliveries.splice(index, 1);
		this.world.store.touch();
	}

	private async attempt(delivery: Delivery, webhook: Webhook): Promise<Outcome> {
		const at = now();
		webhook.lastCalledAt = at;
		this.writeBack(delivery);
		const outcome = await this.post(webhook, delivery.payload);
		const { webhookId, robotId, runId, event } = delivery;
		const { status, error } = outcome;
		const attempt = delivery.attempts + 1;
		this.log({ webhookId, robotId, runId, event, url: webhook.url, attempt, at, status, error });
		return outcome;
	}

	/** A self-hosted server writes all webhooks back after a delivery, even if they have changed in the meantime. */
	private writeBack(delivery: Delivery): void {
		const { selfHostedForm, selfHostedWriteBackSeconds: seconds } = this.world.settings;
		const robot = this.world.robotOf(delivery);
		if (selfHostedForm !== 'observed' || seconds === 0 || robot === undefined) return;
		const { webhooks } = structuredClone(robot);
		const { signal } = this.background;
		const writing = sleep(seconds * 1000, undefined, { signal })
			.then(() => void Object.assign(robot, { webhooks }))
			.catch(() => undefined);
		this.background.add(writing);
	}

	private async sendCopies(delivery: Delivery, webhook: Webhook): Promise<void> {
		for (let copy = 1; copy < this.world.settings.deliveryCopies; copy++) {
			await this.attempt(delivery, webhook);
		}
	}

	private async post(webhook: Webhook, payload: unknown): Promise<Outcome> {
		const timeout = AbortSignal.timeout(webhook.timeout * 1000);
		try {
			const { statusCode, body } = await request(webhook.url, {
				method: 'POST',
				dispatcher: this.agent,
				signal: AbortSignal.any([timeout, this.background.signal]),
				headers: { 'content-type': 'application/json', 'user-agent': 'axios/1.11.0' },
				body: JSON.stringify(payload),
			});
			await body.dump();
			return { accepted: statusCode >= 200 && statusCode < 300, status: statusCode };
		} catch (error) {
			if (timeout.aborted) return { accepted: false, error: `No answer in ${webhook.timeout} s` };
			return { accepted: false, error: messageOf(error) };
		}
	}

	private webhookOf(delivery: Delivery): Webhook | undefined {
		return this.world.robotOf(delivery)?.webhooks.find(({ id }) => id === delivery.webhookId);
	}

	private log(entry: DeliveryLogEntry): void {
		const { deliveryLog } = this.world.state;
		deliveryLog.push(entry);
		if (deliveryLog.length > LOG_CAPACITY) deliveryLog.shift();
		this.world.store.touch();
	}
}

function now(): string {
	return new Date().toISOString();
}
