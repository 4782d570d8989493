import type { IDataObject } from 'n8n-workflow';
import { inTurn, restRegularly } from '../http/concurrency';
import { recover } from '../http/fault';
import type { Run } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import type { ChangeSettings } from './changes';
import { changedRows } from './changeOutput';
import { changesBetween, runBefore } from './comparison';
import type { Hint } from './hint';
import { capturedNothing } from './noData';
import { pageOfLinks } from './output';
import { partsOf } from './rows';
import type { TableSettings } from './table';

/** What a run is compared with, if not simply with the previous run. */
interface Baseline {
	/** Whether all rows count as added. */
	fromNothing?: boolean;
	/** Runs that started by then don't count, in milliseconds of the server's clock. */
	startedAfter?: number;
}

/**
 * The rows that changed since the previous run. If Maxun compares the robot's runs, Maxun's result decides whether
 * something changed. Maxun doesn't compare crawled pages, so the node does.
 *
 * @returns undefined if nothing changed, if the run has no data, or if there is no previous run; an empty list if only
 * Maxun sees a change
 */
export async function foundChanges(
	maxun: MaxunServer,
	run: Run,
	settings: ChangeSettings & TableSettings & Baseline = {},
	hint: Hint = () => {},
): Promise<IDataObject[] | undefined> {
	const { robotId } = run;
	if (!robotId || capturedNothing(run)) return undefined;
	const isSaid = run.hasChanges === false && !isCrawl(run);
	if (isSaid && (await isCompared(maxun, robotId))) return undefined;
	const before = settings.fromNothing
		? { ...run, data: {} }
		: await runBefore(maxun.runs, robotId, run, undefined, settings.startedAfter);
	const rest = restRegularly(maxun.sleep);
	const rows = before
		? await inTurn('compare', async () => {
				const changes = await changesBetween(before, run, settings, rest, hint);
				const base = await pageOfLinks(maxun, run, settings);
				return await changedRows(changes, run, { ...settings, base }, rest, hint);
			})
		: [];
	return rows.length > 0 || run.hasChanges === true ? rows : undefined;
}

const isCrawl = (run: Run) => partsOf(run).some(({ kind }) => kind === 'pages');

/** Whether Maxun compares a robot's runs. Earlier servers can't. */
async function isCompared({ monitoring }: MaxunServer, robotId: string): Promise<boolean> {
	if (!monitoring) return false;
	const settings = await recover(monitoring.get(robotId), {
		missingRoute: () => undefined,
		notFound: () => undefined,
	});
	return settings?.compareRuns === true;
}
