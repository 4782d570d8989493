import type { IDataObject } from 'n8n-workflow';
import { inTurn, restRegularly } from '../http/concurrency';
import { recover } from '../http/fault';
import type { MaxunServer } from '../servers/types';
import type { Captured } from './captured';
import { changedRows } from './changeOutput';
import { changesBetween, runBefore, withKept, type ComparisonSettings } from './comparison';
import type { Hint } from './hint';
import { capturedNothing, pageOfLinks } from './outcome';

/**
 * The rows that changed since the previous run. If Maxun compares the robot's runs, its result decides whether
 * something changed. `lastGoodRun` is the last run with data, if none of the latest ones has any. `goodRunId` replaces
 * all of them.
 * @returns undefined if nothing changed, or nothing can be compared; an empty list if only Maxun sees a change
 */
export async function foundChanges(
	maxun: MaxunServer,
	captured: Captured,
	settings: ComparisonSettings & {
		lastGoodRun?: () => string | undefined;
		goodRunId?: string;
	} = {},
	hint: Hint = () => {},
): Promise<IDataObject[] | undefined> {
	const { run } = captured;
	const { robotId } = run;
	if (!robotId || capturedNothing(captured)) return undefined;
	// Only the service compares crawled pages.
	const canCompare = maxun.features.has('alerts') || !isCrawl(captured);
	const { goodRunId, lastGoodRun = () => undefined } = settings;
	const listed = goodRunId === undefined ? undefined : [];
	const { missingOnce = false, ignoreQuery = false, onlyIf = [] } = settings;
	const isOwn = missingOnce || ignoreQuery || onlyIf.length > 0;
	// After a repair, Maxun has compared the run with the previous run, which lacks values.
	const isSaid = run.hasChanges === false && canCompare && !missingOnce && goodRunId === undefined;
	if (isSaid && (await isCompared(maxun, robotId))) return undefined;
	const before = settings.fromNothing
		? { ...captured, parts: [], isPrevious: true }
		: await runBefore(maxun.runs, robotId, captured, listed, () => goodRunId ?? lastGoodRun());
	const rest = restRegularly(maxun.sleep);
	const kept = before && (await withKept(maxun.runs, robotId, [before, captured], settings));
	const rows = kept
		? await inTurn('compare', async () => {
				const table = { ...settings, base: await pageOfLinks(maxun, captured, settings) };
				const [earlier, later] = kept;
				const changes = await changesBetween(earlier, later, table, rest, hint);
				return await changedRows(changes, table, rest, hint);
			})
		: [];
	// Maxun also compares runs with those that could not read the page.
	const isSure =
		!isOwn &&
		(before === undefined ||
			(before.isPrevious && !captured.unread.length && !before.unread.length));
	return rows.length > 0 || (run.hasChanges === true && isSure) ? rows : undefined;
}

const isCrawl = ({ parts }: Captured) => parts.some(({ kind }) => kind === 'pages');

async function isCompared({ monitoring }: MaxunServer, robotId: string): Promise<boolean> {
	const settings = await recover(monitoring.get(robotId), {
		missingRoute: () => undefined,
		notFound: () => undefined,
	});
	return settings?.compareRuns === true;
}
