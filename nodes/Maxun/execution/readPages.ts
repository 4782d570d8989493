import type { IExecuteFunctions } from 'n8n-workflow';
import { DAY } from '../http/time';
import { capturedOf } from '../results/captured';
import { capturedNothing } from '../results/outcome';
import type { Item } from '../results/types';
import { FEWEST_ENTRIES, ProcessedTable } from '../runs/processedTable';
import type { WaitSettings } from '../runs/types';
import type { Run } from '../servers/entities';
import type { HintArguments } from './state';
import { isUntouched, waitSettingsOf, type Task } from './tasks';

const ENTRIES = 100_000;

const AT_ONCE = FEWEST_ENTRIES / 8;

/**
 * The pages that a node has read well, in n8n's table of processed items. An entry contains the number of its period,
 * because the table has no dates. n8n can't look up an entry without adding it: if n8n crashes before the entry is
 * removed again, up to 250 pages are skipped although they weren't read.
 */
export class ReadPages {
	private readonly table: ProcessedTable;

	constructor(context: IExecuteFunctions) {
		this.table = new ProcessedTable(context, ENTRIES);
	}

	async skip(tasks: Task[]): Promise<HintArguments[]> {
		const pages = tasks.filter(isUntouched).flatMap(pageOf);
		return await this.using(async () => {
			if (pages.some(({ startsOver }) => startsOver)) await this.table.clear();
			for (let at = 0; at < pages.length; at += AT_ONCE) {
				await this.skipSome(pages.slice(at, at + AT_ONCE));
			}
		});
	}

	async remember(tasks: Task[]): Promise<HintArguments[]> {
		const read = tasks.filter(({ state }) => 'items' in state && state.isRead).flatMap(pageOf);
		const entries = read.map(({ entries: [current] }) => current);
		return await this.using(async () => {
			for (let at = 0; at < entries.length; at += AT_ONCE) {
				await this.table.add(entries.slice(at, at + AT_ONCE));
			}
		});
	}

	private async skipSome(pages: Page[]): Promise<void> {
		const entries = pages.flatMap((page) => page.entries);
		const known = await this.table.add(entries);
		await this.table.remove(entries.filter((entry) => !known.has(entry)));
		for (const page of pages.filter((page) => page.entries.some((entry) => known.has(entry)))) {
			page.task.state = { items: [], hints: [[SKIPPED, 1, page.subject]] };
		}
	}

	private async using(work: () => Promise<void>): Promise<HintArguments[]> {
		try {
			await work();
		} catch (error) {
			return [[`'Skip URLs Already Read' can't use n8n's database: ${String(error)}`]];
		}
		return this.table.isFull ? [[FULL]] : [];
	}
}

const SKIPPED = "'Skip URLs Already Read' skipped pages that were read before";

const FULL = `n8n's database has no room for more than ${FEWEST_ENTRIES} URLs of this node, so n8n forgets the oldest ones, and the node reads their pages again`;

interface Page {
	task: Task;
	subject: string;
	startsOver: boolean;
	entries: [string, string];
}

export function isReadWell(
	run: Run,
	{ skipRead, lists, dataChecks }: WaitSettings,
	items: Item[],
): boolean | undefined {
	if (!skipRead || run.status !== 'success' || run.isPartial) return undefined;
	const captured = capturedOf(run);
	const hasProblems = dataChecks !== undefined && items.some(({ json }) => 'problems' in json);
	return captured.unread.length === 0 && !capturedNothing(captured, lists) && !hasProblems;
}

/** Empty for tools, which remember nothing. */
function pageOf(task: Task): Page[] {
	const { skipRead, readAgainAfter = 30, robotId = '', subject } = waitSettingsOf(task.job) ?? {};
	if (!skipRead || !subject || task.context?.isTool) return [];
	const period = Math.floor(Date.now() / (readAgainAfter * DAY));
	const entryOf = (number: number) => `${number} ${robotId} ${subject}`;
	const startsOver = skipRead === 'startOver';
	return [{ task, subject, startsOver, entries: [entryOf(period), entryOf(period - 1)] }];
}
