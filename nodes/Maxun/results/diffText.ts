import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../http/values';

/** A diff's changed lines as text, each with `+` or `-`. If there are several formats, their names are headings. */
export function diffText({ diffs }: IDataObject): string {
	const parts = objectsIn(diffs)
		.map(({ format, changes }) => ({
			format: String(format ?? ''),
			lines: objectsIn(changes).flatMap(({ value, added, removed }) =>
				added ? signed('+', value) : removed ? signed('-', value) : [],
			),
		}))
		.filter(({ lines }) => lines.length > 0);
	return parts
		.map(({ format, lines }) => (parts.length > 1 ? [`${format}:`, ...lines] : lines).join('\n'))
		.join('\n\n');
}

const objectsIn = (list: unknown) => (Array.isArray(list) ? list.filter(isObject) : []);

const signed = (sign: string, value: unknown) =>
	String(value ?? '')
		.replace(/\n$/, '')
		.split('\n')
		.map((line) => `${sign} ${line}`);
