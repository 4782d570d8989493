import { z } from 'zod';
import { dataChecksParameter } from './checks';
import { dateFormatProblem } from './dateFormat';
import {
	count,
	duplicateOf,
	entries,
	flag,
	oneOf,
	optionalText,
	seconds,
	text,
	texts,
} from './parameters';

// Schemas for the forms that don't describe their values yet: those of extract robots.

export const formatShape = {
	type: oneOf(['any', 'boolean', 'date', 'link', 'number', 'text']).default('text'),
	numberFormat: oneOf(['automatic', 'comma', 'point']).default('automatic'),
	dateFormat: optionalText()
		.transform((format = '') => format)
		.superRefine((format, context) => {
			const problem = dateFormatProblem(format);
			if (problem === undefined) return;
			const message = `must not contain the Date Format '${format}': ${problem}`;
			context.addIssue({ code: 'custom', message });
		}),
	trueWords: texts().default([]),
	falseWords: texts().default([]),
};

const Column = z
	.object({ column: text(), name: optionalText(), ...formatShape })
	.transform(({ name, ...column }) => ({ ...column, name: name ?? column.column }));

const tableParameters = {
	columns: entries(Column).superRefine((columns, context) => {
		const twice = duplicateOf(columns.map(({ name }) => name));
		if (twice === undefined) return;
		context.addIssue({
			code: 'custom',
			message: `must not contain two columns named '${twice}'`,
		});
	}),
	ignoreConversionErrors: flag().default(false),
	keepOtherColumns: flag().default(false),
};

const ifNoDataParameter = oneOf(['nothing', 'item', 'error']).default('item');

export const pageOutputParameter = oneOf(['documents', 'rows']).default('rows');

export const temporaryParameters = z.object({
	timeoutMinutes: z.coerce.number().positive('must be more than 0').default(60),
	onFailure: oneOf(['skip', 'return', 'error']).default('skip'),
	ifNoData: ifNoDataParameter,
	dataChecks: dataChecksParameter,
	delayBeforeStart: seconds().default(5),
	maxRuns: count(1, 10).default(1),
	keepRobot: flag().default(false),
	...tableParameters,
});
