import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';

const exchange = z.object({
	name: z.string(),
	method: z.string(),
	/** The path on the server. Those of its API begin with `/api`. */
	path: z.string(),
	key: z.enum(['missing', 'wrong']).optional(),
	body: z.unknown(),
	status: z.number(),
	answer: z.unknown(),
});

/** A request to a real self-hosted server of mid-2026, and its response. Long values are cut. */
export type Exchange = z.infer<typeof exchange>;

const FOLDER = new URL('../recordings/', import.meta.url);
const DELIVERIES = 'deliveries.json';
const LISTS = 'extract-lists.json';

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));

export const exchanges: Exchange[] = readdirSync(FOLDER)
	.filter((file) => file !== DELIVERIES && file !== LISTS)
	.flatMap((file) => z.array(exchange).parse(read(file)));

const fields = z.record(z.string(), z.unknown());
const delivery = z.object({ name: z.string(), body: fields });

/** Bodies of webhook deliveries from the same server. */
export const deliveries = z.array(delivery).parse(read(DELIVERIES));

const rows = z.array(z.record(z.string(), z.string()));

/**
 * Pages, the settings of lists on them, and the rows that a real self-hosted server returned for each. Lists with a
 * pagination are on pages of the demo shop, and contain only the products' names.
 */
export const extracted = z
	.object({
		pages: z.record(z.string(), z.string()),
		lists: z.array(z.object({ name: z.string(), page: z.string(), config: fields, rows })),
		paginations: z.array(
			z.object({
				name: z.string(),
				path: z.string(),
				config: fields,
				products: z.array(z.string()),
			}),
		),
	})
	.parse(read(LISTS));

export function recorded(name: string): Exchange {
	const found = exchanges.find((entry) => entry.name === name);
	if (found === undefined) throw new Error(`There is no recording "${name}"`);
	return found;
}
