import type { IBinaryData } from 'n8n-workflow';
import { MaxunFault, recover } from '../http/fault';
import type { Run } from '../servers/entities';
import type { Item, RunReader } from './types';

/** A screenshot of a run. */
interface Screenshot {
	name: string;
	/** A URL, a data URI or base64 text. */
	source: string;
}

/** Fields that may contain the screenshot in an object of unknown shape. */
const SOURCES = ['url', 'src', 'data', 'base64', 'image', 'screenshot'];

/** The screenshots of a run. Their shape isn't documented: strings, or objects that contain one. */
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
 * The items with the run's screenshots as files of the first item: `screenshot`, `screenshot_2` and so on.
 *
 * If a screenshot can't be read, `screenshotError` contains the reason, and the data is still returned.
 */
export async function withScreenshots(
	reader: Pick<RunReader, 'maxun' | 'toBinary'>,
	run: Run,
	items: Item[],
): Promise<Item[]> {
	const screenshots = screenshotsOf(run);
	if (screenshots.length === 0) return items;
	const faults: MaxunFault[] = [];
	const files = await Promise.all(
		screenshots.map(async (screenshot, index) => {
			const key = index === 0 ? 'screenshot' : `screenshot_${index + 1}`;
			const reading = readScreenshot(reader, screenshot).then((file) => [[key, file]]);
			return await recover(reading, {
				any: (fault) => {
					faults.push(fault);
					return [];
				},
			});
		}),
	);
	const [first = { json: { id: run.id } }, ...others] = items;
	const missing =
		faults.length > 0
			? {
					screenshotError: faults
						.map((fault) => `${fault.message}: ${fault.description}`)
						.join('; '),
				}
			: {};
	const json = { ...first.json, ...missing };
	const binary = files.flat();
	return [binary.length > 0 ? { json, binary: Object.fromEntries(binary) } : { json }, ...others];
}

/** A screenshot as an n8n file. Its content determines its type. */
async function readScreenshot(
	{ maxun, toBinary }: Pick<RunReader, 'maxun' | 'toBinary'>,
	{ name, source }: Screenshot,
): Promise<IBinaryData> {
	const data = /^https?:/i.test(source) ? await maxun.download(source) : decode(source);
	const file = await toBinary(data, name);
	const fileName = name.includes('.') ? name : `${name}.${file.fileExtension ?? 'png'}`;
	return { ...file, fileName };
}

const DATA_URI = /^data:[^,]*;base64,/i;

function decode(source: string): Buffer {
	const text = source.replace(DATA_URI, '');
	if (/^[\w+/=\s-]+$/.test(text)) return Buffer.from(text, 'base64');
	throw new MaxunFault(
		'The screenshot has an unknown format',
		`It begins with: ${source.slice(0, 40)}`,
	);
}
