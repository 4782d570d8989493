import { Robot, type Webhook } from '../api/entities';
import { gone, MaxunFault } from '../api/fault';
import { definedFields, path } from '../api/request';
import { WEBHOOKS_PER_ROBOT, type RunEvent, type TestOutcome } from '../api/webhooks';
import { CONCURRENCY, mapConcurrently } from '../core/concurrency';
import type { Call } from '../core/transport';
import type { Registry } from './registry';
import { SECRET_PARAMETER } from './secret';

export interface SubscriptionSettings {
	/** The trigger's own address in n8n, without the secret. It tells our webhooks from all others. */
	address: string;
	secret: string;
	events: RunEvent[];
	/** Ids of the webhooks that were registered before, by robot: known even if their address was changed. */
	webhooks: Record<string, string>;
}

/** A delivery is tried as often as the service allows: with doubling delays that bridges most of an hour. Seconds. */
const PATIENCE = { retryAttempts: 10, retryDelay: 5, timeout: 30 };

/**
 * The webhooks of one trigger on its robots: exactly one each, told by its address or id. Every method may be called
 * in any order and any number of times.
 */
export class Subscription {
	constructor(
		private readonly call: Call,
		private readonly registry: Registry,
		private readonly settings: SubscriptionSettings,
	) {}

	/** Whether each robot has our webhook, just once and as it should be. */
	async isComplete(robotIds: string[]): Promise<boolean> {
		const found = await mapConcurrently(
			robotIds,
			CONCURRENCY,
			async (robotId) => await this.own(robotId).catch(noneWithoutRoute),
		);
		return found.every((webhooks) => webhooks.length === 1 && this.isRight(webhooks[0]));
	}

	/**
	 * Registers on all robots, or on none of them.
	 *
	 * @returns our webhook's id by robot
	 * @throws MaxunFault that names the robots that refused; what this call has added is removed again
	 */
	async register(robotIds: string[]): Promise<Record<string, string>> {
		const added: string[] = [];
		const ids: Record<string, string> = {};
		const refused: Array<{ robotId: string; fault: MaxunFault }> = [];
		await mapConcurrently(robotIds, CONCURRENCY, async (robotId) => {
			await this.registerOn(robotId).then(
				({ id, isNew }) => {
					ids[robotId] = id;
					if (isNew) added.push(robotId);
				},
				(fault: unknown) => {
					if (!(fault instanceof MaxunFault)) throw fault;
					refused.push({ robotId, fault });
				},
			);
		});
		if (refused.length === 0) return ids;
		const left = await this.removeOrTell(added);
		const names = await Promise.all(refused.map(async ({ robotId }) => await this.nameOf(robotId)));
		const [{ fault }] = refused;
		throw new MaxunFault(
			`No webhook could be registered on robot ${names.join(', ')}: ${fault.message}`,
			`${fault.description}. The address is ${this.settings.address}. ${left ?? 'No webhook has been added to any robot'}`,
			fault,
		);
	}

	/**
	 * Removes our webhooks; what is gone already, robot or webhook, is as good.
	 *
	 * @throws MaxunFault where the service refuses; what may be changed but not deleted is paused then
	 */
	async remove(robotIds: string[]): Promise<void> {
		const faults: MaxunFault[] = [];
		await mapConcurrently(robotIds, CONCURRENCY, async (robotId) => {
			const removing = this.removeFrom(robotId).catch((fault: unknown) => {
				if (!(fault instanceof MaxunFault)) throw fault;
				faults.push(fault);
			});
			await removing;
		});
		const [fault] = faults;
		if (fault) throw fault;
	}

	/** Removes our webhooks after something else went wrong. @returns what could not be removed, in words */
	async removeOrTell(robotIds: string[]): Promise<string | undefined> {
		return await this.remove(robotIds).then(
			() => undefined,
			(fault: unknown) => {
				if (!(fault instanceof MaxunFault)) throw fault;
				return fault.message;
			},
		);
	}

	/**
	 * Asks the service for a sample delivery by the robot's webhook.
	 *
	 * @returns what the service says
	 */
	async test(robotId: string, webhookId: string): Promise<TestOutcome> {
		return await this.registry.test(robotId, webhookId);
	}

	private async registerOn(robotId: string): Promise<{ id: string; isNew: boolean }> {
		const { all, own } = await this.find(robotId);
		const [first, ...others] = own;
		for (const { id } of others) await gone(this.registry.remove(robotId, id));
		if (first) {
			if (!this.isRight(first)) {
				await this.registry.update(robotId, first.id, this.fields());
			}
			return { id: first.id, isNew: false };
		}
		if (all.length >= WEBHOOKS_PER_ROBOT) throw tooMany();
		const created = await this.registry.create(robotId, this.fields());
		if (created) return { id: created.id, isNew: true };
		const [listed] = await this.own(robotId);
		return { id: listed?.id ?? '', isNew: true };
	}

	private async removeFrom(robotId: string): Promise<void> {
		const webhooks = (await gone(this.own(robotId))) ?? [];
		for (const { id } of webhooks) {
			await gone(this.registry.remove(robotId, id)).catch(async (fault: unknown) => {
				if (!(fault instanceof MaxunFault) || fault.status !== 403) throw fault;
				await this.registry.update(robotId, id, { active: false });
				throw new MaxunFault(
					`The webhook on robot ${await this.nameOf(robotId)} was paused, not removed: ${fault.message}`,
					`It sends nothing any more and is taken up again at the next activation. ${fault.description}`,
					fault,
				);
			});
		}
	}

	private async find(robotId: string): Promise<{ all: Webhook[]; own: Webhook[] }> {
		const { address, webhooks } = this.settings;
		const all = await this.registry.list(robotId);
		const own = all.filter(
			({ id, url }) => url.split('?')[0] === address || (id !== '' && id === webhooks[robotId]),
		);
		return { all, own };
	}

	private async own(robotId: string): Promise<Webhook[]> {
		return (await this.find(robotId)).own;
	}

	private isRight({ url, active, events, ...webhook }: Webhook): boolean {
		const wanted = this.fields();
		const { retryAttempts, retryDelay, timeout } = { ...PATIENCE, ...definedFields(webhook) };
		return (
			url === wanted.url &&
			active !== false &&
			[...(events ?? [])].sort().join() === [...wanted.events].sort().join() &&
			retryAttempts === PATIENCE.retryAttempts &&
			retryDelay === PATIENCE.retryDelay &&
			timeout === PATIENCE.timeout
		);
	}

	private fields() {
		const { address, secret, events } = this.settings;
		const url = `${address}?${SECRET_PARAMETER}=${secret}`;
		return { url, events, active: true, ...PATIENCE };
	}

	/** The robot as the user knows it, for messages. */
	private async nameOf(robotId: string): Promise<string> {
		const request = { method: 'GET' as const, path: path`/robots/${robotId}` };
		return await this.call(request, Robot).then(
			({ name }) => (name ? `'${name}'` : robotId),
			() => robotId,
		);
	}
}

const tooMany = () =>
	new MaxunFault(
		`it has ${WEBHOOKS_PER_ROBOT} webhooks already, which is the most that Maxun allows`,
		'Delete one that is no longer needed in Maxun, or with Webhook: Delete, then activate again',
	);

/** A server that takes no webhooks has none of ours; what to do then is told when they are to be registered. */
function noneWithoutRoute(fault: unknown): Webhook[] {
	if (fault instanceof MaxunFault && fault.missingRoute) return [];
	throw fault;
}
