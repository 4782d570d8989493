import type { Run } from '../api/entities';
import type { Api, Item } from '../core/operation';
import { outputOf, type Output } from './output';
import { withScreenshots } from './screenshots';

/** A run as the items that an operation returns; where rows are wanted and there are none, the user is told. */
export async function itemsOf(
	api: Api,
	run: Run,
	{ output, downloadScreenshots }: { output: Output; downloadScreenshots: boolean },
): Promise<Item[]> {
	const items = outputOf(run, output).map((json) => ({ json }));
	if (items.length === 0) {
		api.hint(`A run of '${run.robotName ?? run.robotId ?? 'the robot'}' captured no data`);
	}
	return downloadScreenshots ? await withScreenshots(api, run, items) : items;
}
