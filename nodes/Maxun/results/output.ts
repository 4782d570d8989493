import type { Run } from '../servers/entities';
import { capturedNothing } from './noData';
import { OUTPUT_FORMS } from './outputForms';
import { screenshotsOf, withScreenshots } from './screenshots';
import type { Item, RunOutput, RunReader } from './types';

/** A run as the items that an operation returns. Adds a hint if it has nothing to return, or only a part of its data. */
export async function itemsOf(reader: RunReader, run: Run, settings: RunOutput): Promise<Item[]> {
	const { address, output, downloadScreenshots } = settings;
	const rows = OUTPUT_FORMS[output](run, settings, reader.hint).map((json) => ({ json }));
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
