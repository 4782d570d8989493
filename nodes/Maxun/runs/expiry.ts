import { randomString } from 'n8n-workflow';
import { mapConcurrently } from '../http/concurrency';
import { faultOf, recover } from '../http/fault';
import { cut } from '../http/text';
import { DAY, HOUR, MINUTE } from '../http/time';
import type { MaxunServer } from '../servers/types';
import {
	MARK_LENGTH,
	type KeptRobot,
	type KeptWord,
	type StartContext,
	type TemporaryRobot,
} from './types';

/** If n8n is killed, temporary robots remain. The next execution that creates a robot deletes the expired robots. */

const PREFIX = 'n8n';

const EXPIRING =
	/^n8n ([a-z]+)(?: \S+)? until (\d{4}-\d\d-\d\dT\d\d:\d\dZ) (\w+)(?: (\d+) ([^\s()]+))?(?: \(\S*\))?$/;

/** A tool may leave these robots. The execution that reads such a robot's run deletes it. */
const TOOL_WORDS: Record<string, TemporaryRobot['kind']> = { tool: 'robot', agent: 'agent' };

/** Lists and triggers leave these robots out. */
export const isTemporaryName = (name: string): boolean => EXPIRING.test(name);

export async function withoutTemporary<R extends { name: string }>(
	list: (limit: number) => Promise<R[]>,
	limit: number,
): Promise<R[]> {
	for (let more = 0; ; ) {
		const found = await list(limit + more);
		const lasting = found.filter((robot) => !isTemporaryName(robot.name));
		const hidden = found.length - lasting.length;
		if (hidden <= more || found.length < limit + more) return lasting.slice(0, limit);
		more = hidden;
	}
}

/** Undefined for a robot that no tool has left. */
export const kindLeftByTool = (name: string): TemporaryRobot['kind'] | undefined =>
	TOOL_WORDS[EXPIRING.exec(name)?.[1] ?? ''];

export function temporaryName(
	operation: string,
	kind: TemporaryRobot['kind'],
	{ maxun, returnAt }: Pick<StartContext, 'maxun' | 'returnAt'>,
	timeoutMinutes: number,
): string {
	const isLeft = returnAt !== undefined;
	const word = isLeft ? (kind === 'agent' ? 'agent' : 'tool') : operation;
	// n8n calls a tool once, and a node up to five times. Building an agent takes up to the timeout, and n8n may be down for a day.
	const life = isLeft ? 2 * timeoutMinutes * MINUTE + 2 * HOUR : 6 * timeoutMinutes * MINUTE + DAY;
	return expiringName(word, maxun, life, randomString(10));
}

/** One of the two clocks may be wrong, so a robot expires only when it has expired by both. */
const clocksOf = ({ serverTime }: Pick<MaxunServer, 'serverTime'>) => [serverTime(), Date.now()];

function expiringName(
	word: string,
	maxun: Pick<MaxunServer, 'serverTime'>,
	life: number,
	mark: string,
): string {
	const time = new Date(Math.max(...clocksOf(maxun)) + life).toISOString();
	return `${PREFIX} ${word} until ${time.slice(0, 16)}Z ${mark}`;
}

export const lastingName = (operation: string) => `${PREFIX} ${operation} ${randomString(10)}`;

/** In epoch milliseconds. Without it, each item would list all robots. */
const searched = new Map<string, number>();

/** At most once every ten minutes. Never throws a fault. */
export async function deleteExpired({
	accountKey,
	concurrency,
	marks,
	maxun,
}: StartContext): Promise<void> {
	const latest = searched.get(accountKey) ?? -Infinity;
	if (Math.abs(Date.now() - latest) < 10 * MINUTE) return;
	searched.set(accountKey, Date.now());
	// An item is waiting, so requests aren't retried.
	const { agents, robots } = maxun.with({ maxWait: 0 });
	const found = await recover(robots.list({ q: PREFIX }, Infinity), { any: () => [] });
	const now = Math.min(...clocksOf(maxun));
	const expired = found.filter(({ name }) => {
		const [, word, until = '', mark = ''] = EXPIRING.exec(name) ?? [];
		const isNeeded = word !== 'retired' && marks.has(mark.slice(0, MARK_LENGTH));
		return Date.parse(until) < now && !isNeeded;
	});
	let mayDelete = true;
	// The oldest robots are at the end of the list.
	await mapConcurrently(expired.reverse(), concurrency, async ({ id, type }) => {
		if (!mayDelete) return;
		const remove = type === 'agent' ? agents.delete : robots.delete;
		const fault = await faultOf(remove(id));
		// A team member's key can't delete robots. A robot with an active run remains.
		if (fault?.status === 403) mayDelete = false;
	});
}

const LIVES: Record<KeptWord, number> = {
	rows: 30 * DAY,
	lists: 180 * DAY,
	retired: 30 * DAY,
	watches: 180 * DAY,
};

/** Robots with a self-hosted server's runs become slow, because it lists all runs with their data. */
const MOST_CHECKS = 30;

const AGE = 7 * DAY;

const isKeptWord = (word = ''): word is KeptWord => Object.hasOwn(LIVES, word);

/** Maxun's documents don't show what an ID looks like. */
const encoded = (id: string) =>
	encodeURIComponent(id).replace(/[()]/g, (one) => (one === '(' ? '%28' : '%29'));

/** @param page its address is in the name for people, without its query */
export const keptName = (
	maxun: MaxunServer,
	{ word, mark, runId, checks = 0 }: Pick<KeptRobot, 'word' | 'mark' | 'runId' | 'checks'>,
	page: string,
): string => {
	const { host, pathname } = new URL(page);
	const words = word === 'watches' ? `${word} ${cut(host + pathname, 60)}` : word;
	const name = expiringName(words, maxun, LIVES[word], mark + randomString(6));
	return runId === undefined ? name : `${name} ${checks} ${encoded(runId)}`;
};

/** Whether a copy without runs should replace a robot. */
export const isOld = (maxun: MaxunServer, { word, until, checks = 0 }: KeptRobot): boolean =>
	word === 'watches'
		? checks >= MOST_CHECKS && maxun.features.has('oneAtATime')
		: isUnusedFor(AGE, maxun, { word, until });

/** A robot that watches pages gets a new name with each check, and other robots only when they are created. */
export const isUnusedFor = (
	time: number,
	maxun: MaxunServer,
	{ word, until }: Pick<KeptRobot, 'word' | 'until'>,
): boolean => until - maxun.serverTime() < LIVES[word] - time;

/** The kept robots of all nodes, in the order of their last use, in one request. */
export async function keptRobots({ robots }: MaxunServer): Promise<KeptRobot[]> {
	const found = await robots.list({ q: PREFIX }, Infinity);
	const kept = found.flatMap(({ id, name, createdAt }): KeptRobot[] => {
		const [, word, until = '', mark = '', checks = 0, runId] = EXPIRING.exec(name) ?? [];
		if (!isKeptWord(word)) return [];
		const own = { word, mark: mark.slice(0, MARK_LENGTH), until: Date.parse(until), createdAt };
		const run = { checks: Number(checks), runId: runId && decodeURIComponent(runId) };
		return [{ ...own, ...run, robotId: id }];
	});
	// If several robots have a mark, the last used robot counts. Maxun lists the newest first, and names don't contain seconds.
	return kept.reverse().sort((a, b) => a.until - b.until);
}
