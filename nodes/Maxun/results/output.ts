import { recover } from '../http/fault';
import type { Run } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import { checkedItems } from './dataChecks';
import { capturedNothing, fullLists } from './noData';
import { formOf, makeOutput } from './outputForms';
import { isText } from './pageText';
import { screenshotsOf, withScreenshots } from './screenshots';
import { needsPage, type TableSettings } from './table';
import type { Item, RunOutput, RunReader } from './types';

/**
 * A run as the operation's items, with its screenshots if the settings say so. Shows a hint if the run wasn't
 * completed, stopped early, or has nothing to return.
 */
export async function itemsOf(reader: RunReader, run: Run, settings: RunOutput): Promise<Item[]> {
	const { address, output, downloadScreenshots } = settings;
	const isRows = formOf(output).hasColumns === true;
	const base = isRows ? await pageOfLinks(reader.maxun, run, settings) : undefined;
	const isEmpty = capturedNothing(run, settings.lists);
	// An empty run lacks the columns for the same reason.
	const hint = isEmpty ? () => {} : reader.hint;
	const rows = makeOutput(run, { ...settings, base }, hint).map((json) => ({ json }));
	const items = downloadScreenshots ? await withScreenshots(reader, run, rows, address) : rows;
	const { subject = `robot '${run.robotName ?? run.robotId ?? 'unknown'}'` } = settings;
	for (const full of fullLists(run, settings.lists)) reader.hint(full, 1, subject);
	if (run.isPartial === true) reader.hint(STOPPED_EARLY, 1, subject);
	if (run.status !== 'success') {
		if (output !== 'raw') reader.hint(isNoSuccess(run), 1, subject);
	} else if (isEmpty || items.length === 0) {
		const hasScreenshots = !downloadScreenshots && screenshotsOf(run).length > 0;
		const missing = settings.lists?.length ? NO_ROWS : NO_DATA;
		reader.hint(hasScreenshots ? ONLY_SCREENSHOTS : missing, 1, subject);
	}
	return await checkedItems(reader, run, items, { checks: settings.dataChecks, isRows });
}

const NO_DATA = 'No data was captured. Maxun may not be able to open the page';

const NO_ROWS =
	"No row was captured. Maxun may not be able to open the page, or 'Row Selector' matches nothing";

const ONLY_SCREENSHOTS =
	"Only screenshots were captured. To return them, turn on 'Download Screenshots'";

const STOPPED_EARLY = 'The run stopped early, so its data is incomplete';

const isNoSuccess = ({ status }: Run) =>
	`The run ended with status ${status} and has no rows, so the output describes the run`;

/** The page that a run's relative links belong to: its only page, or its robot's. Reads the robot only if needed. */
export async function pageOfLinks(
	{ robots }: Pick<MaxunServer, 'robots'>,
	run: Run,
	settings: TableSettings & { address?: string },
): Promise<string | undefined> {
	const { address } = settings;
	if (address !== undefined || !run.robotId || !needsPage(run, settings)) return address;
	// Without the robot, the links are null, and a hint says so.
	const robot = await recover(robots.get(run.robotId), { any: () => undefined });
	return isText(robot?.url) ? robot.url : undefined;
}
