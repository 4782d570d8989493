import { recover } from '../http/fault';
import { wordsOf } from '../http/text';
import { SECOND } from '../http/time';
import type { Captured } from '../results/captured';
import { lostIn, NOT_REPAIRED, repairLesson } from '../runs/repair';
import { whenVisible } from '../runs/start';
import { startOf } from '../servers/dates';
import { lookAgain, type PageRepair } from './memory';
import { learnNow } from './lesson';
import { contextOf } from './page';
import type { Connected } from './settings';

/** How many seconds a server that can't handle overlapping runs needs between them. */
const BREAK = 5;

/** How long Maxun may take to read the page. */
const MINUTES = 10;

/** The next polls read the run again. */
export class UnderRepair extends Error {}

interface Verdict {
	/** Whether the check doesn't count, because the robot has been repaired since. */
	isOver?: boolean;
	/** What the repair before the check has changed, and the run to compare the check with. */
	repaired?: PageRepair['repaired'];
}

export type CheckRepair = (captured: Captured) => Promise<Verdict>;

/**
 * Decides whether a check of the page has lost values. If so, a poll begins to repair the robot, which takes longer than
 * a poll may. Until then, the check waits. After a restart, the first poll begins again.
 *
 * @param repairNow only for polls, because another process may receive an event
 * @returns undefined if the user doesn't want repairs. The function throws UnderRepair if the check has to wait
 */
export function repairCheck(
	connected: Connected,
	repairNow?: typeof beginRepair,
): CheckRepair | undefined {
	const { trigger, maxun, given } = connected;
	const { page, repairSelectors } = given;
	if (!repairSelectors || !page?.definition || trigger.isTest) return undefined;
	const memory = trigger.memory;
	return async (captured) => {
		const { id, robotId } = captured.run;
		if (!robotId) return {};
		const reading = maxun.extractRobots.readLists(robotId);
		const robot = await recover(reading, { any: () => undefined });
		if (!robot) return {};
		const lost = lostIn(robot.lists, captured);
		const { repair } = memory;
		const isNew = lost.some((column) => !repair?.lost.includes(column));
		if (repair && !isNew && lost.length < repair.lost.length) {
			if (repair.repaired) repair.firstRunId ??= id;
			else if (repair.endedAt !== undefined) repair.lost = lost;
			return repair.firstRunId === id ? { repaired: repair.repaired } : {};
		}
		if (lost.length === 0) return {};
		if (repair?.endedAt !== undefined) {
			const isOver = (startOf(captured.run) ?? Infinity) <= repair.endedAt;
			if (repair.repaired && isOver) return { isOver };
			// A second repair on the same page would find the same.
			if (!isNew && repair.firstRunId === undefined) return {};
		}
		const isRunning = repair !== undefined && repair.endedAt === undefined;
		if (!repairNow) lookAgain(memory);
		else if (!isRunning) void repairNow(connected, robotId, lost);
		throw new UnderRepair('The robot is being repaired');
	};
}

/** Repairs the robot, and runs it once more. Never throws. */
export async function beginRepair(
	connected: Connected,
	robotId: string,
	lost: string[],
): Promise<void> {
	const { trigger, maxun } = connected;
	const memory = trigger.memory;
	const repair: PageRepair = (memory.repair = { lost });
	const delay = maxun.features.has('oneAtATime') ? BREAK : 0;
	const context = contextOf(connected, trigger.warn);
	const tell = context.hint;
	try {
		await maxun.sleep(delay * SECOND);
		const { repaired, hints = [] } = await learnNow(context, repairLesson(robotId), MINUTES);
		for (const hint of hints) tell(...hint);
		repair.repaired = repaired;
	} catch (error) {
		tell(NOT_REPAIRED, 1, wordsOf(error));
	}
	repair.endedAt = maxun.serverTime();
	if (!repair.repaired) return;
	tell(repair.repaired.changes);
	await maxun.sleep(delay * SECOND);
	if (trigger.memory !== memory) return;
	await whenVisible(maxun, async () => await maxun.runs.start(robotId, {})).catch(
		(error: unknown) => tell('The robot reads the page with its next check', 1, wordsOf(error)),
	);
}
