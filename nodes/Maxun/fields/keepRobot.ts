import { newDataChecksField } from './checks';
import { optionsOf } from './collections';
import type { tableFields } from './columns';
import type { Field, OptionValues } from './field';
import { paceFields } from './runOptions';
import { pageWaitFields } from './waiting';

const keepRobotField = {
	displayName: 'Keep Robot',
	name: 'keepRobot',
	type: 'boolean',
	default: false,
	ifAbsent: false,
	description:
		'Whether to keep the temporary robot in Maxun after the run. If turned off, the node deletes it, and cancels a run that times out.',
} as const satisfies Field;

/** The options of an operation that creates a robot for one run. */
const temporaryFields = [...pageWaitFields, newDataChecksField, ...paceFields, keepRobotField];

export type TemporaryOptions = OptionValues<
	(typeof temporaryFields)[number] | ReturnType<typeof tableFields>[number]
>;

/** The same as a field. @param more the operation's other options */
export const temporaryOptionsField = <const F extends Field>(more: F[]) =>
	optionsOf([...temporaryFields, ...more]);
