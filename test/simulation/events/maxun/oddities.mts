import type { Request, Response } from '../../network.mts';
import { fieldsOf } from '../../maxun/router.mts';
import type { Account } from './account.mts';

/** Entries that no document describes. A list may contain them next to its runs. */
const ODD_ENTRIES: unknown[] = [null, 42, {}, { id: null, runId: null, status: null }];

/** A response as a real server sends it: in its language, with runs without times and with odd entries. */
export function withOddities(account: Account, { url }: Request, response: Response): Response {
	if (response.status !== 200) return response;
	const body = fieldsOf(response.body);
	const [, robotId] = /\/(?:robots|agents)\/([^/]+)\/runs$/.exec(url.pathname) ?? [];
	const isOdd = account.odd.has(robotId ?? url.searchParams.get('robotId') ?? '');
	const limit = Number(url.searchParams.get('limit') ?? Infinity);
	const list = (entries: unknown[]) => [
		// A page never has more entries than the limit.
		...(isOdd && entries.length + ODD_ENTRIES.length <= limit ? ODD_ENTRIES : []),
		...entries.map((entry) => withTimes(account, entry)),
	];
	const isOfRuns = /\/runs(\/[^/]+)?$/.test(url.pathname);
	if (!isOfRuns || typeof response.body === 'string') return response;
	if (Array.isArray(body.data)) return { ...response, body: { ...body, data: list(body.data) } };
	const { items } = fieldsOf(body.runs);
	if (Array.isArray(items)) {
		return {
			...response,
			body: { ...body, runs: { totalCount: items.length, items: list(items) } },
		};
	}
	const key = 'run' in body ? 'run' : 'data';
	return { ...response, body: { ...body, [key]: withTimes(account, body[key]) } };
}

function withTimes(account: Account, entry: unknown): unknown {
	const fields = fieldsOf(entry);
	const { kind, locale, timezone } = account.own;
	const run = account.runs.get(String(fields.runId ?? fields.id));
	if (!run) return entry;
	if (account.withoutTimes.has(run.id)) {
		const none = kind === 'cloud' ? null : '';
		return { ...fields, startedAt: none, finishedAt: none };
	}
	if (kind === 'cloud' || locale === 'en-US') return entry;
	const timeZone = timezone ?? 'UTC';
	const format = formatOf(locale, timeZone);
	const { startedAt = run.createdAt } = run;
	// A run that isn't shown as finished yet has an empty time.
	const finishedAt = fields.finishedAt ? format.format(run.finishedAt) : '';
	return { ...fields, startedAt: format.format(startedAt), finishedAt };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How the server writes a time: like `toLocaleString`. */
function formatOf(locale: string, timeZone: string): Intl.DateTimeFormat {
	const key = `${locale} ${timeZone}`;
	const found =
		formats.get(key) ??
		new Intl.DateTimeFormat(locale, {
			timeZone,
			year: 'numeric',
			month: 'numeric',
			day: 'numeric',
			hour: 'numeric',
			minute: 'numeric',
			second: 'numeric',
		});
	formats.set(key, found);
	return found;
}
