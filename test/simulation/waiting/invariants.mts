import * as data from './rules/data.mts';
import * as items from './rules/items.mts';
import * as leftovers from './rules/leftovers.mts';
import * as memory from './rules/memory.mts';
import * as property from './rules/property.mts';
import * as requests from './rules/requests.mts';
import type { Rule } from './rules/rule.mts';
import * as runs from './rules/runs.mts';
import * as timing from './rules/timing.mts';

const { runsThatSucceedGiveTheirData } = data;

/** What must hold after every history, by name. */
export const INVARIANTS: Record<string, Rule> = {
	runsThatSucceedGiveTheirData,
	...items,
	...leftovers,
	...memory,
	...property,
	...requests,
	...runs,
	...timing,
};
