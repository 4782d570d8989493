import type { IDataObject } from 'n8n-workflow';
import { inTurn, restRegularly } from '../http/concurrency';
import { recover } from '../http/fault';
import { cut } from '../http/text';
import type { Run } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import { compareRuns, idBefore } from './compareRuns';
import { partsOf } from './rows';

/**
 * What changed since the previous successful run of a robot, in the form of Run: Compare. If Maxun compares the robot's runs,
 * its word counts. It doesn't compare the pages of crawls, so the node does.
 *
 * @returns the first 100 changes; undefined if nothing changed, or if there is no previous run; an empty list if Maxun says
 *   that something changed
 */
export async function foundChanges(
	maxun: MaxunServer,
	run: Run,
): Promise<IDataObject[] | undefined> {
	if (run.hasChanges === true) return [];
	const { robotId } = run;
	if (!robotId) return undefined;
	const isSaid = run.hasChanges === false && !isCrawl(run);
	if (isSaid && (await isCompared(maxun, robotId))) return undefined;
	const previousId = await idBefore(maxun.runs, robotId, run);
	if (previousId === undefined) return undefined;
	const reading = maxun.runs.get(previousId, [robotId]);
	const previous = await recover(reading, { notFound: () => undefined });
	if (previous?.status !== 'success') return undefined;
	const changes = await inTurn(
		'compare',
		async () => await compareRuns(previous, run, undefined, restRegularly(maxun.sleep)),
	);
	return changes.length > 0 ? changes.slice(0, 100).map(shortened) : undefined;
}

const shortened = (change: IDataObject): IDataObject => ({
	...change,
	diff: cut(String(change.diff ?? ''), 5_000),
});

const isCrawl = (run: Run) => partsOf(run).some(({ kind }) => kind === 'pages');

/** Whether Maxun compares the runs of a robot. Older servers can't. */
async function isCompared({ monitoring }: MaxunServer, robotId: string): Promise<boolean> {
	if (!monitoring) return false;
	const settings = await recover(monitoring.get(robotId), {
		missingRoute: () => undefined,
		notFound: () => undefined,
	});
	return settings?.compareRuns === true;
}
