import { describe, expect, it } from 'vitest';
import { robotsLeft } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { DESK_LIST, DESKS, PAGES, useDesks } from './support/desks.mts';
import { extractOn, lists, QUICK } from './support/extract.mts';
import { succeeded } from './support/details.mts';

const sandbox = useSandbox({ settings: { runSeconds: 0.05, selfHostedStepSeconds: 0.02 } });
const { url, show, showAfter, visits } = useDesks();

describe.each(['cloud', 'selfHosted'])('Repair Selectors on the server %s', (server) => {
	const { run, created, succeed } = extractOn(sandbox, server);

	/** A robot with a good run. */
	const robot = async () => {
		const { id } = await created({ url: url(), ...lists(DESK_LIST) });
		const robotId = locator(String(id));
		await succeed('run', 'runAndWait', { robotId, options: QUICK });
		return robotId;
	};
	const runAgain = async (robotId: ReturnType<typeof locator>) => {
		const options = { ...QUICK, repairSelectors: true };
		const { json, hints } = succeeded(await run('run', 'runAndWait', { robotId, options }));
		expect(await robotsLeft(sandbox)).toEqual([]);
		return { found: json, hints: hints.join('\n') };
	};

	it('a lost column is found again once, and the robot keeps it', async () => {
		const robotId = await robot();
		show(PAGES.new);
		const { found, hints } = await runAgain(robotId);
		expect(found).toMatchObject(DESKS.map(({ name, price }) => ({ Name: name, Price: price })));
		expect(hints).toMatch(
			/The page has changed\. 'Price' is now read with `[^`]+` \(before: `\.price`\)/,
		);
		const again = await runAgain(robotId);
		expect(again.found).toHaveLength(5);
		expect(again.hints).not.toContain('The page has changed');
	});

	it('values that are not on the page do not change anything', async () => {
		const robotId = await robot();
		const [before] = await succeed('robot', 'get', { robotId });
		show(PAGES.soldOut);
		const { found, hints } = await runAgain(robotId);
		expect(found).toHaveLength(5);
		expect(hints).toContain('was not repaired');
		const [after] = await succeed('robot', 'get', { robotId });
		expect(after?.lists).toEqual(before?.lists);
	});

	it('a column whose values are gone does not prevent the repair of the others', async () => {
		const robotId = await robot();
		show(PAGES.soldOut.replaceAll('"product"', '"item"').replaceAll('"name"', '"title"'));
		const { found, hints } = await runAgain(robotId);
		expect(found).toMatchObject(DESKS.map(({ name }) => ({ Name: name })));
		expect(hints).toContain("'Name' is now read with");
		expect(hints).toMatch(/not repaired.*'Price'/);
	});

	it.each<'new' | 'nested'>(['new', 'nested'])(
		'if the next run also lacks the values, the robot has its earlier selectors again (%s page)',
		async (page) => {
			const robotId = await robot();
			const [before] = await succeed('robot', 'get', { robotId });
			const earlier = visits();
			await succeed('run', 'runAndWait', { robotId, options: QUICK });
			const perRun = visits() - earlier;
			show(PAGES[page]);
			// The run, and the run of the copy.
			showAfter(2 * perRun, PAGES.soldOut);
			const { found, hints } = await runAgain(robotId);
			expect(found).toHaveLength(5);
			expect(hints).toContain('its earlier selectors were restored');
			const [after] = await succeed('robot', 'get', { robotId });
			expect(after?.lists).toEqual(before?.lists);
		},
	);

	it.runIf(server === 'selfHosted')(
		'the hint says that the robot was repaired if its next run cannot start in time',
		async () => {
			const robotId = await robot();
			show(PAGES.new);
			// The run and the run of the copy start.
			const starts = { method: 'POST', path: '/runs$', skip: 2, times: 99 };
			await sandbox.control.fault({ kind: 'status', status: 500, ...starts });
			const options = { ...QUICK, repairSelectors: true, timeoutMinutes: 0.2 };
			const { json, hints } = succeeded(await run('run', 'runAndWait', { robotId, options }));
			expect(json).toHaveLength(5);
			expect(hints.join()).toContain('The robot was repaired, but its next run failed');
		},
	);

	it('pages of Run on Many URLs share one repair', async () => {
		const robotId = await robot();
		show(PAGES.new);
		const given = { robotId, urls: `${url()}1\n${url()}2`, output: 'rows' };
		const options = { ...QUICK, repairSelectors: true };
		const { json, hints } = succeeded(await run('run', 'runOnUrls', { ...given, options }));
		const prices = json.map(({ Price }) => Price);
		expect(prices).toEqual([...DESKS, ...DESKS].map(({ price }) => price));
		expect(hints.filter((hint) => hint.includes('The page has changed'))).toHaveLength(1);
		expect(await robotsLeft(sandbox)).toEqual([]);
	});
});
