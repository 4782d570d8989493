import { recover } from '../http/fault';
import { startOf } from '../servers/dates';
import type { MaxunServer } from '../servers/types';
import { capturedInTurns, type Captured } from './captured';
import { isUsable, verdictOf } from './verdict';

export type Runs = Pick<MaxunServer['runs'], 'get' | 'list'>;

const hasData = (captured: Captured) => isUsable(verdictOf(captured));

/** A run, if it still exists and is good. */
export async function goodRun(
	runs: Pick<Runs, 'get'>,
	robotId: string,
	id: string,
	isGood = hasData,
): Promise<Captured | undefined> {
	const run = await recover(runs.get(id, [robotId]), { notFound: () => undefined });
	const captured = run && (await capturedInTurns(run));
	return captured && isGood(captured) ? captured : undefined;
}

/** The latest good run of a robot's last completed runs, by default with data. @param before their start, in milliseconds */
export async function lastGoodRun(
	{ runs }: { runs: Runs },
	robotId: string,
	isGood = hasData,
	{ most = 3, before = Infinity } = {},
): Promise<Captured | undefined> {
	const listed = await runs.list(robotId, { status: ['success'] }, most);
	for (const { id } of listed.filter((run) => (startOf(run) ?? -Infinity) < before)) {
		const captured = await goodRun(runs, robotId, id, isGood);
		if (captured) return captured;
	}
	return undefined;
}
