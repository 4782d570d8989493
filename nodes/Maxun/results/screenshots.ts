import type { IBinaryData } from 'n8n-workflow';
import { isPicture } from '../http/download';
import { MaxunFault, recover } from '../http/fault';
import { cut } from '../http/text';
import { isObject, isText } from '../http/values';
import type { Run } from '../servers/entities';
import { urlOf, type Captured } from './captured';
import type { Item, RunReader } from './types';

interface Screenshot {
	name: string;
	source: string;
}

/** Maxun's documentation doesn't show which field contains the screenshot. */
const KEYS = ['url', 'src', 'data', 'base64', 'image', 'screenshot'];

export function screenshotsOf({ screenshots }: Run): Screenshot[] {
	const entries: unknown[] = Array.isArray(screenshots) ? screenshots : [];
	return entries.flatMap((entry, index) => {
		const fields: Record<string, unknown> = isObject(entry) ? entry : { url: entry };
		const source = KEYS.map((field) => fields[field]).find(isText);
		const name = String(fields.name ?? fields.format ?? `screenshot-${index + 1}`);
		return source === undefined ? [] : [{ name, source }];
	});
}

/**
 * The items with the run's screenshots as files of the first item: `screenshot`, `screenshot_2` and so on. If one can't
 * be read, `screenshotError` contains the reason.
 * @param address the URL of the run's only page
 */
export async function withScreenshots(
	reader: Pick<RunReader, 'maxun' | 'toBinary'>,
	captured: Captured,
	items: Item[],
	address?: string,
): Promise<Item[]> {
	const { run, parts } = captured;
	const screenshots = screenshotsOf(run);
	if (screenshots.length === 0) return items;
	const urls = parts.flatMap(({ rows }) => rows.flatMap((row) => urlOf(row) ?? []));
	const page = address ?? (urls.length === 1 ? urls[0] : undefined);
	const names = fileNames(screenshots, page ?? run.robotName ?? run.id);
	const reading = screenshots.map(async ({ source }, index) => {
		const file = readScreenshot(reader, source, names[index]);
		return await recover(file, { any: (fault) => `${fault.message}: ${fault.description}` });
	});
	const binary: Record<string, IBinaryData> = {};
	const reasons: string[] = [];
	for (const [index, file] of (await Promise.all(reading)).entries()) {
		if (typeof file === 'string') reasons.push(file);
		else binary[index === 0 ? 'screenshot' : `screenshot_${index + 1}`] = file;
	}
	const [first = { json: { id: run.id } }, ...others] = items;
	const missing = reasons.length > 0 && { screenshotError: reasons.join('; ') };
	const json = { ...first.json, ...missing };
	return [reasons.length < reading.length ? { json, binary } : { json }, ...others];
}

async function readScreenshot(
	{ maxun, toBinary }: Pick<RunReader, 'maxun' | 'toBinary'>,
	source: string,
	name: string,
): Promise<IBinaryData> {
	const data = /^https?:/i.test(source) ? await maxun.download(source) : decode(source);
	const file = await toBinary(data, name);
	return { ...file, fileName: `${name}.${file.fileExtension ?? 'png'}` };
}

/** Maxun doesn't say which page of several a screenshot shows. @param page the run's only page or its robot */
function fileNames(screenshots: Screenshot[], page: string): string[] {
	const used = new Map<string, number>();
	return screenshots.map(({ name, source }) => {
		const format = FORMAT.exec(`${name} ${cut(source, 500)}`)?.[1];
		const base = [fileNameOf(page), format].filter(Boolean).join('-');
		const count = (used.get(base) ?? 0) + 1;
		used.set(base, count);
		return count === 1 ? base : `${base}-${count}`;
	});
}

const FORMAT = /screenshot-(visible|fullpage)/;

/** A name that every file system accepts, such as `example-com-products`. */
const fileNameOf = (text: string) => {
	const name = text
		.replace(/^https?:\/\/(www\.)?/i, '')
		.replace(/[^\p{L}\p{N}]+/gu, '-')
		.replace(/^-|-$/g, '');
	return cut(name, 80) || 'screenshot';
};

function decode(source: string): Buffer {
	const content = Buffer.from(source.replace(/^data:[^,]*;base64,/i, ''), 'base64');
	if (isPicture(content)) return content;
	throw new MaxunFault(
		'The screenshot has an unknown format',
		`The screenshot begins with: ${cut(source, 40)}`,
	);
}
