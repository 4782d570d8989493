import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { moveDate } from '../helpers/engine/time.mts';
import { newProductRobot, productUrl, robotsLeft, unique } from '../helpers/fixtures.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { PATIENCE, until } from '../helpers/until.mts';
import { DESK_EXAMPLES, DESK_LIST, DESKS, PAGES, useDesks } from './support/desks.mts';
import { operationsOn, succeeded } from './support/details.mts';
import { lists } from './support/extract.mts';
import { usePausing } from './support/pausing.mts';

// Tests of runs that only read a page, for rows by example and for repairs.

const paused = usePausing();
const { sandbox } = paused;
const { run } = operationsOn(sandbox);
const { url, show } = useDesks();

const DAY = 24 * 3_600_000;
/** More than the seven days after which a copy replaces the kept robot. */
const DAYS = 9;
const NAMES = DESKS.map(({ name }) => name);

const byExample = (more: INodeParameters = {}): INodeParameters => ({
	...{ specifyFields: 'example', url: url() },
	examples: DESK_EXAMPLES,
	...more,
});
const quick = async () => await sandbox.control.settings({ runSeconds: 0.05 });
const runsIn = async <T,>(work: Promise<T>) => {
	const before = await sandbox.starts();
	const result = await work;
	return { result, runs: (await sandbox.starts()) - before };
};
/** The robots that the next executions find. */
const kept = async () => {
	const { list } = await sandbox.owner.get('/robots?q=n8n&limit=100');
	return list.filter(({ name }) => /^n8n rows until /.test(String(name))).map(({ id }) => id);
};
const extract = async (more: INodeParameters = {}, given = {}) =>
	await run('web', 'extractRows', byExample(more), given);
const PRODUCTION = { mode: 'trigger' as const };

describe('rows by example', () => {
	it('one run a day, although the price in the example changes each day', async () => {
		await quick();
		const priceOn = (day: number) => 174 + day;
		const { result: days, runs } = await runsIn(
			(async () => {
				const found: IDataObject[][] = [];
				for (let day = 0; day < DAYS; day++) {
					if (day > 0) moveDate(DAY);
					show(PAGES.old.replace('$174.00', `$${priceOn(day)}.00`));
					found.push(succeeded(await extract({}, PRODUCTION)).json);
				}
				return found;
			})(),
		);
		for (const [day, rows] of days.entries()) {
			expect(rows.map(({ Name }) => Name)).toEqual(NAMES);
			expect(rows[1]).toEqual({ Name: 'Oak desk', Price: priceOn(day) });
		}
		expect(runs).toBe(DAYS + 1);
		expect(await kept()).toHaveLength(1);
	});

	it('after a redesign, the page is read once more, and the robot is replaced', async () => {
		await quick();
		succeeded(await extract({}, PRODUCTION));
		const [robot] = await kept();
		show(PAGES.new.replaceAll('"product"', '"item"'));
		const { result, runs } = await runsIn(extract({}, PRODUCTION));
		expect(succeeded(result).json).toMatchObject(NAMES.map((Name) => ({ Name })));
		expect(runs).toBe(3);
		const left = await kept();
		expect(left).toHaveLength(1);
		expect(left).not.toEqual([robot]);
	});

	it('a run that somebody cancels is not repeated, a hint says so, and the robot stays', async () => {
		await quick();
		succeeded(await extract({}, PRODUCTION));
		const robots = await kept();
		await sandbox.control.settings({ runSeconds: 60 });
		const running = runsIn(extract({}, PRODUCTION));
		const active = async () => await sandbox.owner.activeRuns();
		await until('the run', PATIENCE, async () => (await active()).length > 0);
		show(PAGES.old.replaceAll('"product"', '"item"'));
		await sandbox.control.abortRuns(await active());
		const { result, runs } = await running;
		expect(runs).toBe(1);
		expect(JSON.stringify(result.hints)).toContain('aborted');
		expect(await kept()).toEqual(robots);
	});

	it('if a redesigned page lacks the examples, the error says so', async () => {
		await quick();
		succeeded(await extract({}, PRODUCTION));
		show(PAGES.soldOut.replaceAll('"product"', '"item"'));
		const { error } = await extract({}, PRODUCTION);
		expect(error?.message).toMatch(/does not contain the example of 'Price'/);
		expect(error?.description).toMatch(/Run \S+ of a kept robot did not find any rows/);
	});

	it("after a redesign, 'Max Runs per Execution' counts the reading once for all items", async () => {
		await quick();
		succeeded(await extract({}, PRODUCTION));
		show(PAGES.new.replaceAll('"product"', '"item"'));
		const given = { items: [{}, {}], ...PRODUCTION };
		const { result, runs } = await runsIn(extract({ options: { runLimit: 5 } }, given));
		expect(succeeded(result).json).toHaveLength(10);
		expect(runs).toBe(5);
	});

	it("if a kept robot is gone, 'Max Runs per Execution' still limits the runs", async () => {
		await quick();
		succeeded(await extract({}, PRODUCTION));
		const [robot] = await kept();
		await sandbox.respond(404, `POST ${robot}/runs$`, { error: 'Robot not found', times: 99 });
		const { error } = await extract({ options: { runLimit: 1 } }, PRODUCTION);
		expect(error?.message).toBe("The node would start 2 runs, and 'Max Runs per Execution' is 1");
		expect(await robotsLeft(sandbox)).toEqual([robot]);
	});

	it('a kept robot makes room if the plan does not allow more robots', async () => {
		await quick();
		succeeded(await extract({}, PRODUCTION));
		await sandbox.respond(403, 'POST /robots', { error: 'Robot limit reached for your plan' });
		const { json } = succeeded(await run('web', 'scrape', { url: url(), formats: ['text'] }));
		expect(json).toHaveLength(1);
		expect(await robotsLeft(sandbox)).toEqual([]);
	});

	it('a test in the editor does not keep a robot', async () => {
		await quick();
		expect(succeeded(await extract()).json).toHaveLength(5);
		expect(await robotsLeft(sandbox)).toEqual([]);
	});

	it('items with the same page and form share a kept robot, also when a copy replaces it', async () => {
		await quick();
		const items = [{}, {}];
		const first = await runsIn(extract({}, { items, ...PRODUCTION }));
		expect(succeeded(first.result).json).toHaveLength(10);
		expect(first.runs).toBe(3);
		expect(await kept()).toHaveLength(1);
		moveDate(8 * DAY);
		const later = await runsIn(extract({}, { items, ...PRODUCTION }));
		expect(succeeded(later.result).json).toHaveLength(10);
		expect(later.runs).toBe(2);
		expect(await kept()).toHaveLength(1);
	});

	describe('on a server that cannot create extract robots', () => {
		const without = async () => {
			await quick();
			await sandbox.respond(404, 'POST /sdk/robots', { times: 10 });
		};

		it('the node reads the rows of the page by itself, in one run', async () => {
			await without();
			const { result, runs } = await runsIn(extract({}, PRODUCTION));
			const { json, hints } = succeeded(result);
			expect(json).toMatchObject(DESKS.map(({ name }) => ({ Name: name })));
			expect(json[1]).toEqual({ Name: 'Oak desk', Price: 174 });
			expect(hints.join()).toContain('cannot create extract robots');
			expect(runs).toBe(1);
			expect(await robotsLeft(sandbox)).toEqual([]);
		});

		it('a robot that was created proves that the server can create robots', async () => {
			await quick();
			await sandbox.respond(404, 'PUT /sdk/robots');
			const { error } = await extract({}, PRODUCTION);
			expect(error).toBeDefined();
			expect(await sandbox.count(/^POST \/robots\/scrape/)).toBe(0);
		});

		it('examples that do not repeat cause an error, and so do selectors', async () => {
			await without();
			const examples = { values: [{ name: 'Heading', example: 'Desks' }] };
			expect((await extract({ examples })).error?.message).toMatch(/do not repeat/);
			const selectors = { specifyFields: 'fields', url: url(), ...lists(DESK_LIST) };
			const { error } = await run('web', 'extractRows', selectors);
			expect(error?.message).toContain('does not support robots from selectors');
		});
	});

	it("'Max Runs per Execution' also counts the run that reads the page before the first run", async () => {
		const { result, runs } = await runsIn(extract({ options: { runLimit: 1 } }));
		expect(result.error?.message).toBe(
			"The node would start 2 runs, and 'Max Runs per Execution' is 1",
		);
		expect(result.error?.description).toContain('1 run would read pages to find the examples');
		expect(runs).toBe(0);
	});

	it('an error after the page was read mentions the run, and the next attempt does not read it again', async () => {
		await quick();
		await sandbox.respond(402, 'POST /runs$', { skip: 1, times: 1 });
		const failed = await runsIn(extract());
		expect(failed.result.error?.description).toMatch(/Run \S+ read the page first/);
		await sandbox.respond(402, 'POST /runs$', { skip: 1, times: 1 });
		const retry = { node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 } };
		const { result, runs } = await runsIn(extract({}, retry));
		expect(succeeded(result).json).toHaveLength(5);
		// The page, the rejected start, and the start of the second attempt.
		expect(runs).toBe(3);
	});
});

describe('while a page is read', () => {
	const slow = (more: INodeParameters = {}) =>
		maxun('web', 'extractRows', byExample({ options: { pauseAfter: 1, ...more } }));

	it('the execution pauses, and continues with what it has learned and what it could not delete', async () => {
		const execution = await paused.pause([{}], slow());
		await sandbox.respond(403, 'DELETE /robots', { error: 'Your role does not allow this' });
		await paused.finishRuns();
		await paused.passTime(execution);
		await paused.pausesAgain(execution);
		await paused.finishAndResume(execution);
		const { json, error } = await paused.end(execution);
		expect(error?.message).toBeUndefined();
		expect(json.map(({ Name }) => Name)).toEqual(NAMES);
		const hints = paused.host.hints(execution).join('\n');
		expect(hints).toContain('Found by example');
		expect(hints).toContain('Temporary robots remain in Maxun');
	});

	it('Create Extract Robot also pauses, and its item is the robot', async () => {
		const name = unique('Desks');
		const form = byExample({ name, options: { pauseAfter: 1 } });
		const execution = await paused.pause([{}], maxun('robot', 'createExtract', form));
		await paused.finishAndResume(execution);
		const { json } = await paused.end(execution);
		expect(json).toMatchObject([{ name }]);
	});

	it('the ended runs of other items are read', async () => {
		await sandbox.control.settings({ slots: 20 });
		const form = slow();
		const execution = await paused.pause([{}, {}], {
			...form,
			url: `={{ $itemIndex === 0 ? '${url()}' : '${url()}?other' }}`,
		});
		const [first] = await sandbox.owner.activeRuns();
		await sandbox.control.finishRun(first ?? '');
		await paused.passTime(execution);
		await paused.pausesAgain(execution);
		// The other page is still being read, and this page's own run has started.
		expect(await sandbox.owner.activeRuns()).toHaveLength(2);
		await paused.finishAndResume(execution);
		await paused.pausesAgain(execution, 3);
		await paused.finishAndResume(execution);
		const { json } = await paused.end(execution);
		expect(json).toHaveLength(10);
	});
});

describe('a repair', () => {
	const robot = async () => {
		const robotId = locator(
			String(
				succeeded(
					await run('robot', 'createExtract', {
						...{ name: unique('Desks'), url: url(), specifyFields: 'fields' },
						...lists(DESK_LIST),
					}),
				).json[0]?.id,
			),
		);
		await quick();
		succeeded(await run('run', 'runAndWait', { robotId, output: 'rows' }));
		return robotId;
	};
	const repair = (robotId: ReturnType<typeof locator>, more: INodeParameters = {}) => ({
		...{ robotId, output: 'rows' },
		options: { repairSelectors: true, ...more },
	});

	it('the rows that were paid for are returned if the repaired robot cannot start', async () => {
		const robotId = await robot();
		show(PAGES.new);
		await sandbox.respond(402, `POST /robots/${robotId.value}/runs`, { skip: 1, times: 10 });
		const { json, hints } = succeeded(await run('run', 'runAndWait', repair(robotId)));
		expect(json.map(({ Name }) => Name)).toEqual(NAMES);
		expect(hints.join('\n')).toMatch(/was not repaired|has changed/);
	});

	const own = async () => {
		const parameters = { robotId: await robot() };
		return async () => await run('run', 'runAndWait', parameters);
	};
	const reading = async () => async () => await extract();
	const repairing = async () => {
		const parameters = repair(await robot());
		show(PAGES.new);
		return async () => await run('run', 'runAndWait', parameters);
	};

	describe.each([401, 403])('if Maxun rejects the key with %i, the texts mention', (status) => {
		it.each([
			['the own run', own, 1],
			['the run that reads the page for the examples', reading, 1],
			['the run that reads the page for a repair', repairing, 2],
		])('%s', async (_, prepare, count) => {
			const start = await prepare();
			await sandbox.control.settings({ runSeconds: 600 });
			const running = start();
			const seen: string[] = [];
			while (seen.length < count) {
				const id = await until('a run', PATIENCE, async () =>
					(await sandbox.owner.activeRuns()).find((active) => !seen.includes(active)),
				);
				if (seen.push(id) < count) await sandbox.control.finishRun(id);
			}
			await sandbox.respond(status, 'GET ^/runs', { times: 99 });
			const { error, hints } = await running;
			const texts = [error?.message, error?.description, ...hints].join('\n');
			expect(texts).toContain(seen.at(-1));
		});
	});

	it('pauses while it reads the page, and repairs only once', async () => {
		const robotId = await robot();
		await sandbox.control.settings({ runSeconds: 600 });
		show(PAGES.new);
		const execution = await paused.pause(
			[{ robotId: robotId.value }],
			maxun('run', 'runAndWait', repair(robotId, { pauseAfter: 1 })),
		);
		for (const life of [2, 3]) {
			await paused.finishAndResume(execution);
			await paused.pausesAgain(execution, life);
		}
		await paused.finishAndResume(execution);
		const { json } = await paused.end(execution);
		expect(json).toMatchObject(DESKS.map(({ name, price }) => ({ Name: name, Price: price })));
	});

	it("'Max Runs per Execution' leaves the robot as it is", async () => {
		const robotId = await robot();
		show(PAGES.new);
		const { result, runs } = await runsIn(
			run('run', 'runAndWait', repair(robotId, { runLimit: 2 })),
		);
		const { json, hints } = succeeded(result);
		expect(json).toHaveLength(5);
		expect(hints.join()).toContain('more runs than');
		expect(runs).toBe(1);
	});
});

it('a page whose temporary robot is gone after n8n was killed is read again', async () => {
	const robotId = locator(await newProductRobot(sandbox));
	const urls = [1, 2, 3].map((id) => productUrl(sandbox, id)).join('\n');
	const given = { robotId, urls, output: 'rows', options: { pauseAfter: 1, maxQueued: 1 } };
	const execution = await paused.pause([{}], maxun('run', 'runOnUrls', given));
	paused.host.expire(execution);
	const stored = paused.host.store.load(execution);
	await paused.finishRuns();
	paused.host.resumeByTimer(execution);
	await paused.pausesAgain(execution);
	// n8n has only what it stored at the first pause.
	const retried = paused.host.create(stored, 'waiting');
	paused.host.expire(retried, 60_000);
	paused.host.resumeByTimer(retried);
	for (const life of [1, 2, 3]) {
		await paused.pausesAgain(retried, life);
		await paused.finishAndResume(retried);
	}
	const { json } = await paused.end(retried);
	expect(json.map(({ pageUrl }) => pageUrl)).toEqual(urls.split('\n'));
});
