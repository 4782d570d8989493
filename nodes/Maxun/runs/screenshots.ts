import type { Run } from '../api/entities';
import { MaxunFault } from '../api/fault';
import type { Api, Item } from '../core/operation';

/** A picture of a run, by the name it goes under. */
interface Screenshot {
	name: string;
	/** An address, a data URI or base64 text. */
	source: string;
}

/** Where an object of unknown shape may hold its picture. */
const SOURCES = ['url', 'src', 'data', 'base64', 'image', 'screenshot'];

/** The pictures of a run, whose shape is not documented: texts, or objects that hold one. */
export function screenshotsOf(run: Run): Screenshot[] {
	const given = run.screenshots ?? run.screenshot;
	const entries: unknown[] = Array.isArray(given)
		? given
		: typeof given === 'object' && given !== null
			? Object.entries(given).map(([name, source]) => ({ name, url: source }))
			: [given];
	return entries.flatMap((entry, index) => {
		if (typeof entry === 'string' && entry !== '')
			return [{ name: `screenshot-${index + 1}`, source: entry }];
		if (typeof entry !== 'object' || entry === null) return [];
		const fields = new Map<string, unknown>(Object.entries(entry));
		const source = SOURCES.map((name) => fields.get(name)).find(
			(value) => typeof value === 'string',
		);
		const name = fields.get('name') ?? fields.get('format') ?? `screenshot-${index + 1}`;
		return typeof source === 'string' && source !== '' ? [{ name: String(name), source }] : [];
	});
}

/**
 * The items with the run's pictures as files of the first one, `screenshot`, `screenshot_2` and so on.
 *
 * A picture that cannot be had keeps no data back: `screenshotError` says why it is missing.
 */
export async function withScreenshots(
	api: Pick<Api, 'image'>,
	run: Run,
	items: Item[],
): Promise<Item[]> {
	const pictures = screenshotsOf(run);
	if (pictures.length === 0) return items;
	const faults: string[] = [];
	const files = await Promise.all(
		pictures.map(async ({ name, source }, index) => {
			const key = index === 0 ? 'screenshot' : `screenshot_${index + 1}`;
			return await api.image(source, name).then(
				(file) => [[key, file]],
				(fault: unknown) => {
					if (!(fault instanceof MaxunFault)) throw fault;
					faults.push(`${fault.message}: ${fault.description}`);
					return [];
				},
			);
		}),
	);
	const [first = { json: { id: run.id } }, ...others] = items;
	const missing = faults.length > 0 ? { screenshotError: faults.join('; ') } : {};
	const json = { ...first.json, ...missing };
	const binary = files.flat();
	return [binary.length > 0 ? { json, binary: Object.fromEntries(binary) } : { json }, ...others];
}
