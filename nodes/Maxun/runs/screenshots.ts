import type { Run } from '../api/entities';
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

/** The items with the run's pictures as files of the first one, `screenshot`, `screenshot_2` and so on. */
export async function withScreenshots(
	api: Pick<Api, 'image'>,
	run: Run,
	items: Item[],
): Promise<Item[]> {
	const pictures = screenshotsOf(run);
	if (pictures.length === 0) return items;
	const files = await Promise.all(
		pictures.map(async ({ name, source }, index) => [
			index === 0 ? 'screenshot' : `screenshot_${index + 1}`,
			await api.image(source, name),
		]),
	);
	const [first = { json: { id: run.id } }, ...others] = items;
	return [{ ...first, binary: Object.fromEntries(files) }, ...others];
}
