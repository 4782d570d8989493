import { restRegularly } from '../nodes/Maxun/http/concurrency';
import { compareRuns } from '../nodes/Maxun/results/compareRuns';
import { Run } from '../nodes/Maxun/servers/entities';
import { busyTime } from '../test/helpers/busyTime.mts';
import type { Measurement } from './report.mts';

const PAGES = 100;
const LINES = 20_000;

/** How many milliseconds other work may have to wait. */
const ALLOWED = 50;

/** Which lines of a page changed. */
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
	// A response contains whole texts, not joined ones.
	return Run.parse(JSON.parse(JSON.stringify({ id, status: 'success', data: { crawlData } })));
}

const sleep = async (milliseconds: number) =>
	await new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** The longest time that work keeps the event loop from its next turn, in milliseconds, as if no other program ran. */
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

/** P8: how long comparing 100 long pages blocks n8n. */
export async function comparing(): Promise<Measurement[]> {
	const measurements: Measurement[] = [];
	for (const [what, isNew] of Object.entries(CHANGES)) {
		const [earlier, later] = [runOf('earlier', () => false), runOf('later', isNew)];
		const longest = await longestBlock(
			async () => await compareRuns(earlier, later, undefined, restRegularly(sleep)),
		);
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
