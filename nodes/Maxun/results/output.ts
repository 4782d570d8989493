import { recover } from '../http/fault';
import type { Run } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import { capturedNothing } from './noData';
import { OUTPUT_FORMS } from './outputForms';
import { isText } from './pageText';
import { screenshotsOf, withScreenshots } from './screenshots';
import { needsPage, type TableSettings } from './table';
import type { Item, RunOutput, RunReader } from './types';

/** A run as the items that an operation returns. Adds a hint if it has nothing to return, or only a part of its data. */
export async function itemsOf(reader: RunReader, run: Run, settings: RunOutput): Promise<Item[]> {
	const { address, output, downloadScreenshots } = settings;
	const page = output === 'rows' ? await pageOfLinks(reader.maxun, run, settings) : undefined;
	const rows = OUTPUT_FORMS[output](run, { ...settings, page }, reader.hint).map((json) => ({
		json,
	}));
	const items = downloadScreenshots ? await withScreenshots(reader, run, rows, address) : rows;
	const subject = `A run of '${run.robotName ?? run.robotId ?? 'the robot'}'`;
	if (run.isPartial === true) reader.hint(`${subject} stopped early, so its data is incomplete`);
	const isEmpty = capturedNothing(run);
	if (isEmpty ? !address : items.length === 0) {
		const hasScreenshots = !downloadScreenshots && screenshotsOf(run).length > 0;
		reader.hint(
			hasScreenshots
				? `${subject} captured only screenshots. To return them, turn on 'Download Screenshots'`
				: `${subject} captured no data`,
		);
	}
	return items;
}

/** The page that the relative links of a run belong to: its only page, or its robot's. Only reads the robot if needed. */
export async function pageOfLinks(
	{ robots }: Pick<MaxunServer, 'robots'>,
	run: Run,
	settings: TableSettings & { address?: string },
): Promise<string | undefined> {
	const { address } = settings;
	if (address !== undefined || !run.robotId || !needsPage(run, settings)) return address;
	// Without it, the links are null, and a hint says so.
	const robot = await recover(robots.get(run.robotId), { any: () => undefined });
	return isText(robot?.url) ? robot.url : undefined;
}
