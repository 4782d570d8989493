import * as items from './rules/items.mts';
import * as leftovers from './rules/leftovers.mts';
import type { Rule } from './rules/rule.mts';
import * as runs from './rules/runs.mts';
import * as timing from './rules/timing.mts';

/** What must hold after every history, by name. */
export const INVARIANTS: Record<string, Rule> = { ...items, ...leftovers, ...runs, ...timing };
