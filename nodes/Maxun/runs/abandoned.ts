import { createHash } from 'crypto';
import { randomString } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';
import { mapConcurrently } from '../http/concurrency';
import { recover } from '../http/fault';
import { hasFailed, knowsExecutions } from '../n8n/internals';
import { deleteRobot, findTemporaryRobots, PREFIX, remainders } from './temporary';
import type { RobotOwner, RunContext } from './types';

/** When each account was last searched, in epoch milliseconds. */
const searched = new Map<string, number>();

const PAUSE_BETWEEN_SEARCHES = 10 * 60_000;

const MARK_LENGTH = 8;

/**
 * The execution that temporary robots belong to. If n8n is killed, they remain in Maxun. Their names tell a later
 * execution of the same n8n whose they are, so that it can delete them.
 */
export class OwnerExecution implements RobotOwner {
	/** Identifies this n8n. Copies of its database have the same ID, but usually another URL. */
	private readonly mark: string;
	private readonly id: string;

	constructor(private readonly context: IExecuteFunctions) {
		const n8n = `${context.getInstanceId()} ${context.getInstanceBaseUrl()}`;
		this.mark = createHash('sha256').update(n8n).digest('hex').slice(0, MARK_LENGTH);
		this.id = context.getExecutionId();
	}

	/** The part of their names that only robots of this execution have. */
	get tag(): string {
		return `${this.mark}-${this.id}-`;
	}

	nameOf(what: string): string {
		return `${PREFIX} ${what} ${this.tag}${randomString(10)}`;
	}

	async deleteAbandoned({ maxun, concurrency }: RunContext): Promise<void> {
		const { context } = this;
		const { credentials } = context.getNode();
		const account = JSON.stringify([this.mark, credentials, maxun.teamId]);
		const now = Date.now();
		if (now - (searched.get(account) ?? 0) < PAUSE_BETWEEN_SEARCHES) return;
		searched.set(account, now);
		if (!(await knowsExecutions(context))) {
			searched.delete(account); // a later execution may find out
			return;
		}
		const found = await recover(findTemporaryRobots(maxun), {
			any: ({ message }) => {
				context.logger.warn(
					`Robots of executions that were killed could not be listed: ${message}`,
				);
				return [];
			},
		});
		const left = await mapConcurrently(found, concurrency, async ({ id: robotId, name, type }) => {
			const executionId = this.executionIn(name);
			if (executionId === undefined || !(await hasFailed(context, executionId))) return undefined;
			return await deleteRobot(maxun, type === 'agent' ? 'agent' : 'robot', robotId);
		});
		for (const remainder of remainders(left)) context.logger.warn(remainder);
	}

	/** The ID of the other execution of this n8n that created a robot; undefined if none did. */
	private executionIn(name: string): string | undefined {
		const [mark, id] = name.split(' ')[2]?.split('-') ?? [];
		return mark === this.mark && id !== this.id ? id : undefined;
	}
}
