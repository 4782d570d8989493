import { recover } from '../http/fault';
import { startOf } from '../servers/dates';
import type { MaxunServer } from '../servers/types';
import { capturedInTurns, type Captured } from './captured';
import { isUsable, verdictOf } from './verdict';

/** The latest of a robot's last completed runs that is good, by default one with data; undefined if none is. @param before their start, in milliseconds */
export async function lastGoodRun(
	{ runs }: Pick<MaxunServer, 'runs'>,
	robotId: string,
	isGood = (captured: Captured) => isUsable(verdictOf(captured)),
	{ most = 3, before = Infinity } = {},
): Promise<Captured | undefined> {
	const listed = await runs.list(robotId, { status: ['success'] }, most);
	for (const { id } of listed.filter((run) => (startOf(run) ?? -Infinity) < before)) {
		const run = await recover(runs.get(id, [robotId]), { notFound: () => undefined });
		const captured = run && (await capturedInTurns(run));
		if (captured && isGood(captured)) return captured;
	}
	return undefined;
}
