import { recover } from '../../http/fault';
import { RESUME_PATH } from '../../n8n/internals';
import { Webhook } from '../../servers/entities';
import {
	WEBHOOK_RETRY,
	WebhookRegistrar,
	type OwnWebhook,
	type WebhookTarget,
} from '../../webhooks/registrar';
import type { StartedRun } from '../types';
import type { ExecutionStatus } from './executionStatus';

/** A robot whose runs the execution waits for. */
export interface WatchedRobot extends WebhookTarget {
	/** Set if the robot is deleted after its run. */
	temporary?: StartedRun['temporary'];
}

const KINDS = ['robot', 'agent'] as const;

/** The query parameter with the kind of a temporary robot, or `wait`. */
const MARK = 'maxun';

/**
 * The webhooks that resume one paused execution: one per robot, regardless of the number of runs. Their URL identifies
 * them, so no IDs are stored and nothing is registered twice.
 */
export class ResumeWebhooks implements OwnWebhook<WatchedRobot> {
	readonly registrar: WebhookRegistrar<WatchedRobot>;

	/**
	 * @param resumeUrl of the execution; only the segment before the last one differs between executions
	 * @param earlierUrl of the execution that this one retries; its webhooks are removed with those of this one
	 * @param statusOf returns the status of the execution behind such a URL
	 */
	constructor(
		private readonly resumeUrl: string,
		private readonly earlierUrl: string | undefined,
		private readonly statusOf: (url: string) => Promise<ExecutionStatus>,
		concurrency: number,
	) {
		this.registrar = new WebhookRegistrar(this, concurrency);
	}

	fields({ temporary }: WatchedRobot) {
		const url = new URL(this.resumeUrl);
		url.searchParams.set(MARK, temporary ?? 'wait');
		return {
			url: url.href,
			events: ['run_completed', 'run_failed'],
			active: true,
			...WEBHOOK_RETRY,
		};
	}

	isOwn({ url }: Webhook): boolean {
		return isAt(url, this.resumeUrl) || isAt(url, this.earlierUrl);
	}

	isCurrent({ active, url }: Webhook): boolean {
		return active !== false && isAt(url, this.resumeUrl);
	}

	/** Whether it belongs to another execution of this n8n that is no longer paused. */
	async isAbandoned({ url }: Webhook): Promise<boolean> {
		return this.isOfThisN8n(url) && (await this.statusOf(url)) !== 'waiting';
	}

	/**
	 * Whether a robot was created for an execution of this n8n that has ended.
	 *
	 * @returns its kind; undefined if it wasn't, or if that is uncertain
	 */
	async orphanKind({ maxun, robotId }: WatchedRobot): Promise<StartedRun['temporary']> {
		const found = await recover(maxun.webhooks.list(robotId), { notFound: () => [] });
		const marked = found.map((webhook) => Webhook.parse(webhook).url).filter(isMarked);
		for (const url of marked) {
			if (!this.isOfThisN8n(url) || (await this.statusOf(url)) !== 'over') return undefined;
		}
		const marks = marked.map(markOf);
		return KINDS.find((kind) => marks.includes(kind));
	}

	private isOfThisN8n(url: string): boolean {
		return isMarked(url) && folderOf(url) === folderOf(this.resumeUrl);
	}
}

/** Whether both URLs resume the same execution. */
const isAt = (url: string, resumeUrl = '') =>
	isMarked(url) && withoutQuery(url) === withoutQuery(resumeUrl);

const markOf = (url: string) => (URL.canParse(url) ? new URL(url).searchParams.get(MARK) : null);

/** Whether it resumes an execution that is paused at this package's node, in any n8n. */
const isMarked = (url: string) => withoutQuery(url).endsWith(`/${RESUME_PATH}`);

/** A URL without its query, normalized. */
function withoutQuery(url: string): string {
	if (!URL.canParse(url)) return url;
	const { origin, pathname } = new URL(url);
	return origin + pathname;
}

/** A URL without its query and its last two segments: the execution and our path. */
const folderOf = (url: string) => withoutQuery(url).replace(/[^/]*\/[^/]*$/, '');
