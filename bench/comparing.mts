import { restRegularly } from '../nodes/Maxun/http/concurrency';
import { capturedOf } from '../nodes/Maxun/results/captured';
import { changedRows } from '../nodes/Maxun/results/changeOutput';
import { changesBetween } from '../nodes/Maxun/results/comparison';
import { Run } from '../nodes/Maxun/servers/entities';
import { busyTime } from '../test/helpers/busyTime.mts';
import type { Measurement } from './report.mts';

const PAGES = 20;
const LINES = 20_000;

/** How many milliseconds other work may have to wait. */
const ALLOWED = 50;

/** The lines of a page that change. */
const CHANGES: Record<string, (line: number) => boolean> = {
	'all lines': () => true,
	'half of the lines': (line) => line % 2 === 0,
	'a tenth of the lines': (line) => line % 10 === 0,
};

function runOf(id: string, isNew: (line: number) => boolean): Run {
	const crawlData = Array.from({ length: PAGES }, (_, page) => ({
		url: `https://example.com/${page}`,
		markdown: Array.from(
			{ length: LINES },
			(_, line) => `Line ${line} of page ${page}${isNew(line) ? ' is new' : ''}`,
		).join('\n'),
	}));
	// In a response, each text is a single string, not a concatenation.
	return Run.parse(JSON.parse(JSON.stringify({ id, status: 'success', data: { crawlData } })));
}

const sleep = async (milliseconds: number) =>
	await new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** The longest time for which work blocks the event loop, in milliseconds. The time of other programs doesn't count. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
	let [longest, at, isDone] = [0, busyTime(), false];
	const look = () => {
		const now = busyTime();
		longest = Math.max(longest, now - at);
		at = now;
		if (!isDone) setImmediate(look);
	};
	setImmediate(look);
	await work();
	await sleep(1);
	isDone = true;
	return longest;
}

async function compare(earlier: Run, later: Run, key: string[] = []) {
	const rest = restRegularly(sleep);
	const changes = await changesBetween(
		capturedOf(earlier),
		capturedOf(later),
		{ key },
		rest,
		() => {},
	);
	return await changedRows(changes, {}, rest);
}

const ROWS = 10_000;

const listOf = (id: string, price: number): Run => {
	const listData = Array.from({ length: ROWS }, (_, row) => ({
		Product: `Desk ${row}`,
		Price: `$${row + price}`,
		Link: `https://shop.example/products/${row}`,
		Description: `A desk for ${row} people. `.repeat(5),
	}));
	return Run.parse(JSON.parse(JSON.stringify({ id, status: 'success', data: { listData } })));
};

/** Comparing rows that have all changed. */
async function comparingRows(): Promise<Measurement[]> {
	const [earlier, later] = [listOf('earlier', 1), listOf('later', 2)];
	const begin = busyTime();
	let found = 0;
	const longest = await longestBlock(async () => {
		found = (await compare(earlier, later, ['Product'])).length;
	});
	const seconds = (busyTime() - begin) / 1000;
	if (found !== ROWS) throw new Error(`${found} changes`);
	const measurement = { id: 'P8', other: 'allowed' };
	return [
		{
			...measurement,
			what: `comparing ${ROWS} changed rows`,
			unit: 's',
			ours: seconds,
			theirs: 1,
			ratio: seconds,
			atMost: 1,
		},
		{
			...measurement,
			what: 'the longest block meanwhile',
			unit: 'ms',
			ours: longest,
			theirs: ALLOWED,
			ratio: longest / ALLOWED,
			atMost: 1,
		},
	];
}

/** P8: how long it blocks n8n to compare 20 long pages, or many rows. */
export async function comparing(): Promise<Measurement[]> {
	const measurements = await comparingRows();
	for (const [what, isNew] of Object.entries(CHANGES)) {
		const [earlier, later] = [runOf('earlier', () => false), runOf('later', isNew)];
		const longest = await longestBlock(async () => await compare(earlier, later));
		measurements.push({
			id: 'P8',
			what: `the longest block while ${PAGES} pages of ${LINES} lines are compared, ${what} changed`,
			unit: 'ms',
			ours: longest,
			other: 'allowed',
			theirs: ALLOWED,
			ratio: longest / ALLOWED,
			atMost: 1,
		});
	}
	return measurements;
}
