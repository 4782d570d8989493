import type { IDataObject } from 'n8n-workflow';
import { withoutUndefined } from '../../http/request';
import { isEmpty, isObject } from '../../http/values';
import { hasEnded, type Run } from '../entities';
import { reasonIn } from '../sdk/translate';
import type { ServerConnection } from '../types';
import { findRecord } from './readRuns';

/**
 * The run with a page's text and links, and with the reason for a failure.
 *
 * @returns the run itself if it needs none of them, or if this server version lacks the record
 */
export async function withRawParts<R extends IDataObject>(
	api: ServerConnection,
	robotId: string,
	run: R & Run,
): Promise<R & Run> {
	if (!needsRawParts(run)) return run;
	const record = await findRecord(api, robotId, run.id);
	if (!record) return run;
	const { text, links } = record.serializableOutput;
	const reason = run.status === 'failed' ? reasonIn(record.log) : undefined;
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

/** Parts with rows. Pages don't have them. */
const ROWS = ['textData', 'listData', 'crawlData', 'searchData'];

/** Whether the run failed without a reason, or captured a page. Only later servers send an empty list of links. */
function needsRawParts({ data, error, ...run }: Run): boolean {
	if (!hasEnded({ ...run, data })) return false;
	if (run.status === 'failed') return !error;
	if (run.status !== 'success' || !isObject(data) || !('links' in data) || 'text' in data)
		return false;
	return ROWS.every((name) => isEmpty(data[name]));
}
