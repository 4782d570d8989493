import { z } from 'zod';
import type { Webhook } from '../api/entities';
import { gone, MaxunFault } from '../api/fault';
import {
	createWebhook,
	deleteWebhook,
	getWebhooks,
	Webhooks,
	WEBHOOKS_PER_ROBOT,
} from '../api/webhooks';
import { mapConcurrently } from '../core/concurrency';
import type { Api, Started } from '../core/operation';
import type { Fate } from './siblings';

/** A robot whose runs are waited for, and the API that reaches it. */
export interface Watched {
	api: Api;
	robotId: string;
	/** Set where the robot is deleted with the execution. */
	temporary?: Started['temporary'];
}

/** As often as the service allows: with delays that double from 5 seconds on, n8n may be away for 42 minutes. */
const PERSISTENCE = { retryAttempts: 10, retryDelay: 5 };

/**
 * The webhooks by which the service wakes one waiting execution: one on each robot, however many runs of it there are.
 * They are told from others by their address, so that no id has to be remembered and nothing is registered twice. It
 * bears a mark, for people too give resume addresses away, and theirs must be neither called nor removed.
 */
export class Callbacks {
	/**
	 * @param resumeUrl of the execution; the part before its last segment is that of all waiting executions
	 * @param fateOf what has become of the execution behind the address of such a webhook
	 */
	constructor(
		private readonly resumeUrl: string,
		private readonly fateOf: (address: string) => Promise<Fate>,
	) {}

	/** Registers on all robots, or on none. @returns why it was not possible, undefined when all is well */
	async register(robots: Watched[]): Promise<string | undefined> {
		const obstacles = await mapConcurrently(
			robots,
			robots[0]?.api.concurrency ?? 1,
			async (robot) => await obstacleOf(robot, this.registerOn(robot)),
		);
		const obstacle = obstacles.find((found) => found !== undefined);
		if (obstacle !== undefined) await this.remove(robots);
		return obstacle;
	}

	/** Removes what is there, also when it was cancelled halfway. @returns what could not be removed and why */
	async remove(robots: Watched[]): Promise<string[]> {
		const left = await mapConcurrently(robots, robots[0]?.api.concurrency ?? 1, async (robot) => {
			const { robotId } = robot;
			const api = robot.api.afterwards();
			return await obstacleOf(robot, this.removeFrom({ api, robotId }));
		});
		return left.filter((obstacle) => obstacle !== undefined);
	}

	/**
	 * Whether a robot was made for an execution of this n8n that is over.
	 *
	 * @returns its kind; undefined where it is not so, or nobody knows
	 */
	async orphanKind({ api, robotId }: Watched): Promise<Started['temporary']> {
		const found = await gone(api.call(getWebhooks(robotId), Webhooks));
		const waits = (found ?? []).filter(({ url }) => isMarked(url));
		for (const webhook of waits) {
			if (!this.isSibling(webhook) || (await this.fateOf(webhook.url)) !== 'over') return undefined;
		}
		const marks = waits.map(({ url }) => markOf(url));
		return KINDS.find((kind) => marks.includes(kind));
	}

	private async registerOn({ api, robotId, temporary }: Watched): Promise<void> {
		const found = await api.call(getWebhooks(robotId), Webhooks);
		if (found.some((webhook) => this.isOurs(webhook) && webhook.active !== false)) return;
		let used = found.length;
		for (const webhook of found) {
			if (!this.isSibling(webhook) || (await this.fateOf(webhook.url)) === 'waiting') continue;
			await gone(api.call(deleteWebhook(robotId, webhook.id), z.unknown()));
			used--;
		}
		if (used >= WEBHOOKS_PER_ROBOT) {
			throw new MaxunFault(`all its ${WEBHOOKS_PER_ROBOT} webhooks are in use`, '');
		}
		const events = ['run_completed', 'run_failed'];
		const webhook = {
			url: marked(this.resumeUrl, temporary),
			events,
			active: true,
			...PERSISTENCE,
		};
		await api.call(createWebhook(robotId, webhook), z.unknown());
	}

	private async removeFrom({ api, robotId }: Watched): Promise<void> {
		const found = await gone(api.call(getWebhooks(robotId), Webhooks));
		for (const webhook of found ?? []) {
			if (this.isOurs(webhook))
				await gone(api.call(deleteWebhook(robotId, webhook.id), z.unknown()));
		}
	}

	private isOurs({ url }: Webhook): boolean {
		return isMarked(url) && pathOf(url) === pathOf(this.resumeUrl);
	}

	/** Of another waiting execution of this n8n, which may have been cancelled since. */
	private isSibling({ url }: Webhook): boolean {
		return isMarked(url) && folderOf(url) === folderOf(this.resumeUrl);
	}
}

const MARK = 'maxun';
const KINDS = ['robot', 'agent'] as const;

/** The address with a part that n8n does not look at; it tells what the robot is, where that was made for the run. */
function marked(address: string, temporary: Started['temporary']): string {
	const url = new URL(address);
	url.searchParams.set(MARK, temporary ?? 'wait');
	return url.href;
}

const markOf = (address: string) =>
	URL.canParse(address) ? new URL(address).searchParams.get(MARK) : null;

const isMarked = (address: string) => markOf(address) !== null;

/** An address without its query, in its usual form. */
function pathOf(address: string): string {
	if (!URL.canParse(address)) return address;
	const { origin, pathname } = new URL(address);
	return origin + pathname;
}

/** An address without its last segment and query. */
const folderOf = (address: string) => pathOf(address).replace(/[^/]*$/, '');

async function obstacleOf({ robotId }: Watched, work: Promise<void>): Promise<string | undefined> {
	return await work.then(
		() => undefined,
		(fault: unknown) => {
			if (!(fault instanceof MaxunFault)) throw fault;
			const { message, description } = fault;
			return `robot ${robotId}: ${[message, description].filter(Boolean).join('. ')}`;
		},
	);
}
