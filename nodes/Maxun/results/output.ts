import { recover } from '../http/fault';
import type { MaxunServer } from '../servers/types';
import type { Captured } from './captured';
import { usualRows } from './dataChecks';
import { outcome, type Outcome } from './outcome';
import { formOf } from './outputForms';
import { isText } from './pageText';
import { withScreenshots } from './screenshots';
import { needsPage, type TableSettings } from './table';
import type { Item, OutcomeSettings, RunReader } from './types';

/** A run's items with its screenshots, and its hints. */
export async function itemsOf(
	reader: RunReader,
	captured: Captured,
	settings: OutcomeSettings,
): Promise<Item[]> {
	const { items, notes, fault, isLeftOut } = await outcomeOf(reader, captured, settings);
	if (fault) throw fault;
	for (const note of notes) reader.hint(...note);
	if (!settings.downloadScreenshots || isLeftOut) return items;
	return await withScreenshots(reader, captured, items, settings.address);
}

/** What a run returns. Reads the page of its links and the usual number of rows, if they are needed. */
export async function outcomeOf(
	reader: Pick<RunReader, 'maxun' | 'hint' | 'usual'>,
	captured: Captured,
	settings: OutcomeSettings,
): Promise<Outcome> {
	const { run } = captured;
	const { output, dataChecks } = settings;
	const { hasColumns } = formOf(output);
	const isCompared = run.status === 'success' && dataChecks?.mostFewer !== undefined;
	const [base, usual] = await Promise.all([
		hasColumns ? pageOfLinks(reader.maxun, captured, settings) : undefined,
		isCompared ? usualRows(reader, run, hasColumns ? settings : {}) : undefined,
	]);
	return outcome(captured, { ...settings, base, usual });
}

/** The page that a run's relative links belong to: its only page, or its robot's. Reads the robot only if needed. */
export async function pageOfLinks(
	{ robots }: Pick<MaxunServer, 'robots'>,
	captured: Captured,
	settings: TableSettings & { address?: string },
): Promise<string | undefined> {
	const { address } = settings;
	const { robotId } = captured.run;
	if (address !== undefined || !robotId || !needsPage(captured, settings)) return address;
	// Without the robot, the links are null, and a hint says so.
	const robot = await recover(robots.get(robotId), { any: () => undefined });
	return isText(robot?.url) ? robot.url : undefined;
}
