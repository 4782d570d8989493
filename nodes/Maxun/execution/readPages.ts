import type { IExecuteFunctions } from 'n8n-workflow';
import { hashOf } from '../http/hash';
import { DAY } from '../http/time';
import { addressOf } from '../http/links';
import { FEWEST_ENTRIES, ProcessedTable } from '../runs/processedTable';
import type { WaitSettings } from '../runs/types';
import type { HintArguments } from './state';
import { isUntouched, type Task } from './tasks';

const ENTRIES = 100_000;

/** This many fit even into MySQL's table. */
const BATCH = FEWEST_ENTRIES / 2;

/**
 * The pages that a node has read successfully, with the month, in n8n's table of processed items. All processes share it,
 * also in queue mode and after a pause, where n8n's static data is empty. n8n can't look up an entry without adding
 * it, so a page has two entries: if n8n is killed before a new entry is removed again, a single entry doesn't count.
 */
export class ReadPages {
	private readonly table: ProcessedTable;

	constructor(private readonly context: IExecuteFunctions) {
		this.table = new ProcessedTable(context, ENTRIES);
	}

	/** Leaves out the pages that the node has read before. */
	async skip(tasks: Task[]): Promise<HintArguments[]> {
		const pages = tasks.filter(isUntouched).flatMap(visits);
		return await this.using(async () => {
			if (pages.some(({ startsOver }) => startsOver)) await this.table.clear();
			const first = await this.known(pages.flatMap(({ entries }) => entries));
			const secondsOf = ({ entries }: Visit) =>
				entries.filter((entry) => first.has(entry)).map(secondOf);
			const both = await this.known(pages.flatMap(secondsOf));
			for (const page of pages) {
				if (!secondsOf(page).some((entry) => both.has(entry))) continue;
				const { task, subject } = page;
				task.state = { items: [] };
				task.hints.push([SKIPPED, 1, subject]);
			}
		});
	}

	/** A test doesn't store anything. If a later node fails, the failed execution has the data, and n8n can retry it. */
	async remember(tasks: Task[]): Promise<HintArguments[]> {
		if (this.context.getMode() === 'manual') return [];
		const read = tasks.filter(({ state }) => state.verdict === 'good');
		const entries = read.flatMap(visits).map(({ entries: [current] }) => current);
		return await this.using(async () => {
			for (const part of batches(entries)) await this.table.add(part.flatMap(bothOf));
		});
	}

	/** The entries that are in the table. */
	private async known(entries: string[]): Promise<Set<unknown>> {
		const known = new Set<unknown>();
		for (const part of batches(entries)) {
			const unknownIn = (found: Set<unknown>) => part.filter((entry) => !found.has(entry));
			for (const entry of await this.table.add(part, unknownIn, false)) known.add(entry);
		}
		return known;
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

const FULL = `n8n's database has no room for more than ${FEWEST_ENTRIES / 2} URLs of this node, so the node reads the pages of the oldest URLs again`;

const secondOf = (entry: string) => `${entry}+`;

const bothOf = (entry: string) => [entry, secondOf(entry)];

const batches = (entries: string[]): string[][] =>
	Array.from({ length: Math.ceil(entries.length / BATCH) }, (_, at) =>
		entries.slice(at * BATCH, (at + 1) * BATCH),
	);

interface Visit {
	task: Task;
	subject: string;
	startsOver: boolean;
	/** A month in which the page may have been read, the current month first. */
	entries: string[];
}

/** Empty for tools, which don't store anything. */
function visits(task: Task): Visit[] {
	const settings: Partial<WaitSettings> = task.job.settings ?? {};
	const { skipRead, readAgainAfter = 30, subject } = settings;
	if (!skipRead || !subject || task.context?.isTool) return [];
	const page = hashOf(addressOf(subject), 12, 'base64url');
	const entries = monthsOf(readAgainAfter).map((month) => `${page} ${month}`);
	return [{ task, subject, startsOver: skipRead === 'startOver', entries }];
}

/** The months of the last days, newest first. */
function monthsOf(days: number): number[] {
	const monthAt = (time: number) => {
		const date = new Date(time);
		return 12 * date.getUTCFullYear() + date.getUTCMonth();
	};
	const now = monthAt(Date.now());
	const first = monthAt(Date.now() - days * DAY);
	return Array.from({ length: Math.min(now - first, MOST_MONTHS) + 1 }, (_, back) => now - back);
}

const MOST_MONTHS = 120;
