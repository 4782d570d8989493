import { MaxunFault, recover } from '../http/fault';
import { MINUTE } from '../http/time';
import { capturedInTurns } from '../results/captured';
import { pollInterval, whenVisible } from '../runs/start';
import { deleteRobot } from '../runs/temporary';
import type { Learnt, Lesson, RunContext, StartedRun } from '../runs/types';
import { hasEnded, type Run } from '../servers/entities';

/** Learns something from a page in one go, because a poll can't pause. @throws Busy, MaxunFault */
export async function learnNow(
	context: RunContext,
	lesson: Lesson<RunContext>,
	minutes: number,
): Promise<Partial<Learnt>> {
	let made: Parameters<NonNullable<RunContext['onCreated']>>[0] | undefined;
	let started: StartedRun | undefined;
	try {
		started = await lesson.start({ ...context, onCreated: (robot) => (made = robot) }, minutes);
		const run = await endOf(started, context, started.startedAt + minutes * MINUTE);
		return await lesson.learn(await capturedInTurns(run), context);
	} finally {
		if (made) await deleteRobot(context, made, started?.runId);
	}
}

async function endOf(
	{ runId, robotId, startedAt }: StartedRun,
	{ maxun }: RunContext,
	timeoutAt: number,
): Promise<Run> {
	for (;;) {
		const left = Math.max(timeoutAt - Date.now(), 0);
		const { runs } = maxun.with({ maxWait: left });
		const reading = whenVisible(maxun, async () => await runs.get(runId, [robotId]));
		const run = await recover(reading, {
			temporary: (fault): undefined => {
				if (left === 0) throw fault;
			},
		});
		if (run && hasEnded(run)) return run;
		if (left === 0) throw new MaxunFault('Maxun did not read the page in time', 'Try again later');
		await maxun.sleep(Math.min(pollInterval(Date.now() - startedAt), left));
	}
}
