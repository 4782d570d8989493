import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod';
import { isObject } from '../http/values';
import { schemaOf, valuesIn, type Field, type Values } from './field';
import { collection, jsonObject } from './parameters';

export const jsonOf = <F extends Field>(
	parts: F[],
): z.ZodType<Values<F>, z.ZodTypeDef, unknown> => {
	const names: string[] = parts.map(({ name }) => name);
	return collection(
		jsonObject(positionOf)
			.superRefine((given, context) => {
				const unknown = Object.keys(given).filter((name) => !names.includes(name));
				const messages = otherKeys(parts, [given]);
				if (unknown.length > 0) {
					const found = unknown.join("', '");
					messages.unshift(`must contain only ${names.join(', ')}, but contains '${found}'`);
				}
				for (const message of messages) context.addIssue({ code: 'custom', fatal: true, message });
			})
			.pipe(schemaOf(parts)),
	);
};

/** The JSON may contain a password, so the error keeps only the position. */
const positionOf = (reason: string) =>
	/(position|line) \d.*$/.exec(reason)?.[0] ?? 'check brackets, quotation marks and commas';

/** Reports unknown settings. Otherwise, a misspelled setting would have no effect. */
const otherKeys = (lists: Field[], given: Array<Record<string, unknown>>): string[] =>
	lists.flatMap(({ name, options: [entry] = [] }) => {
		const fields = valuesIn(entry);
		const known = fields.map((field) => field.name);
		const entries = given.flatMap((object) => entriesIn(object[name]));
		const unknown = [...new Set(entries.flatMap(Object.keys))].filter(
			(key) => !known.includes(key),
		);
		const kind = 'displayName' in entry ? entry.displayName.toLowerCase() : name;
		return [
			...(unknown.length > 0
				? [`must not contain '${unknown.join("', '")}' in a ${kind}. Use ${known.join(', ')}`]
				: []),
			...otherKeys(
				fields.filter(({ type }) => type === 'fixedCollection'),
				entries,
			),
		];
	});

const entriesIn = (value: unknown): IDataObject[] => {
	const list = isObject(value) ? value.values : value;
	return Array.isArray(list) ? list.filter(isObject) : [];
};
