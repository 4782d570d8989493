import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

const Diffs = z
	.array(
		z.object({
			format: z.string().catch(''),
			changes: z
				.array(
					z.object({
						value: z.string().catch(''),
						added: z.boolean().nullish().catch(false),
						removed: z.boolean().nullish().catch(false),
					}),
				)
				.catch([]),
		}),
	)
	.catch([]);

/** The changed lines of a diff as text, each with `+` or `-`. Several formats get their names as headings. */
export function diffText({ diffs }: IDataObject): string {
	const parts = Diffs.parse(diffs)
		.map(({ format, changes }) => ({
			format,
			lines: changes.flatMap(({ value, added, removed }) =>
				added ? signed('+', value) : removed ? signed('-', value) : [],
			),
		}))
		.filter(({ lines }) => lines.length > 0);
	return parts
		.map(({ format, lines }) => (parts.length > 1 ? [`${format}:`, ...lines] : lines).join('\n'))
		.join('\n\n');
}

const signed = (sign: string, value: string) =>
	value
		.replace(/\n$/, '')
		.split('\n')
		.map((line) => `${sign} ${line}`);
