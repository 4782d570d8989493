import { choiceField, type Field, named, type OptionValues, textField } from './field';
import type { IDataObject } from 'n8n-workflow';
import { omitFields, pickFields } from '../http/values';
import { texts } from './parameters';

/** The input item's fields that are added to each row. The labels are those of n8n's Edit Fields node. */
export const inputFieldsFields = [
	choiceField(
		'Include Other Input Fields',
		'includeOtherFields',
		'Which fields of the input item to add to each row. If a row has a column with the same name, the column is kept.',
		{
			options: named({ All: 'all', 'All Except': 'except', Selected: 'selected' }),
			default: 'all',
		},
	),
	textField(
		'Input Fields',
		'otherFields',
		'The names of the fields to include or to leave out, separated by commas',
		{
			placeholder: 'e.g. sku,category',
			displayOptions: { show: { includeOtherFields: ['except', 'selected'] } },
			schema: texts(),
			ifAbsent: [],
		},
	),
] as const satisfies Field[];

export function otherFieldsOf(
	item: IDataObject,
	{ includeOtherFields, otherFields }: OptionValues<(typeof inputFieldsFields)[number]>,
): IDataObject {
	if (includeOtherFields === undefined) return {};
	if (includeOtherFields === 'all') return item;
	if (includeOtherFields === 'selected') return pickFields(item, otherFields);
	return omitFields(item, otherFields);
}
