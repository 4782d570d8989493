import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { recover } from '../../http/fault';
import { path, withoutUndefined } from '../../http/request';
import { isEmpty, isObject } from '../../http/values';
import { AnyObject, hasEnded, type Run } from '../entities';
import type { ServerConnection } from '../types';

// The documented routes omit some parts of a run. Only the server's own record, under /sdk, contains them.

/** Captured formats: each is a list with one entry. */
const Captured = <T>(entry: z.ZodType<T, z.ZodTypeDef, unknown>) => z.array(entry).catch([]);

const RawRun = z.object({
	log: z.string().catch(''),
	serializableOutput: AnyObject.extend({
		text: Captured(z.object({ content: z.string() })),
		links: Captured(z.object({ url: z.string() })),
	}).catch({ text: [], links: [] }),
});

/**
 * The run with the text and links of a page, and with the reason of a failure.
 *
 * @returns the run itself if it needs none of them, or if this server version lacks the record
 */
export async function withRawParts<R extends IDataObject>(
	api: ServerConnection,
	robotId: string,
	run: R & Run,
): Promise<R & Run> {
	if (!needsRawParts(run)) return run;
	const raw = await recover(
		api.get(path`/sdk/robots/${robotId}/runs/${run.id}`, RawRun),
		// An earlier version, or a run that was deleted in the meantime.
		{ notFound: () => undefined, missingRoute: () => undefined },
	);
	if (!raw) return run;
	const { text, links } = raw.serializableOutput;
	const reason = run.status === 'failed' ? reasonIn(raw.log) : undefined;
	return {
		...run,
		...withoutUndefined({ error: run.error ?? reason }),
		data: {
			...(isObject(run.data) ? run.data : {}),
			...withoutUndefined({
				text: text[0]?.content,
				links: links.length > 0 ? links.map(({ url }) => url) : undefined,
			}),
		},
	};
}

/** Parts with rows, which pages don't have. */
const ROWS = ['textData', 'listData', 'crawlData', 'searchData'];

/** Whether the run failed without a reason, or captured a page. Only later servers send an empty list of links. */
function needsRawParts({ data, error, ...run }: Run): boolean {
	if (!hasEnded({ ...run, data })) return false;
	if (run.status === 'failed') return !error;
	if (run.status !== 'success' || !isObject(data) || !('links' in data) || 'text' in data)
		return false;
	return ROWS.every((name) => isEmpty(data[name]));
}

/** The last line of a log, which contains the reason of a failure. */
const reasonIn = (log: string) =>
	log
		.split('\n')
		.map((line) => line.replace(/^\[[^\]]*\]\s*/, '').trim())
		.filter(Boolean)
		.at(-1);
