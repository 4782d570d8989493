import type { IDataObject } from 'n8n-workflow';
import type { Run } from '../servers/entities';
import { documentsOf } from './documents';
import { capturedNothing } from './noData';
import { selectedOf, simplified } from './rows';
import { screenshotsOf, withScreenshots } from './screenshots';
import { tableOf } from './table';
import type { Item, Output, RunOutput, RunReader } from './types';

/** How to make each output of a run. */
const OUTPUTS: Record<
	Output,
	(
		run: Run,
		settings: RunOutput,
		address: string | undefined,
		reader: Pick<RunReader, 'hint'>,
	) => IDataObject[]
> = {
	documents: (run, _settings, address) => documentsOf(run, address),
	fields: (run, { fields = [] }) => selectedOf(run, fields),
	raw: (run) => [run],
	rows: (run, settings, address, { hint }) => tableOf(run, settings, address, hint),
	simplified: (run) => [simplified(run)],
};

/**
 * A run as the items that an operation returns. Adds a hint if it has nothing to return.
 *
 * @param address the URL of the run's only page
 */
export async function itemsOf(
	reader: RunReader,
	run: Run,
	settings: RunOutput,
	address?: string,
): Promise<Item[]> {
	const { output, downloadScreenshots } = settings;
	const rows = OUTPUTS[output](run, settings, address, reader).map((json) => ({ json }));
	const items = downloadScreenshots ? await withScreenshots(reader, run, rows, address) : rows;
	const isEmpty = capturedNothing(run);
	if (isEmpty ? !address : items.length === 0) {
		const subject = `A run of '${run.robotName ?? run.robotId ?? 'the robot'}'`;
		const hasScreenshots = !downloadScreenshots && screenshotsOf(run).length > 0;
		reader.hint(
			hasScreenshots
				? `${subject} captured only screenshots. To return them, turn on 'Download Screenshots'`
				: `${subject} captured no data`,
		);
	}
	return items;
}
