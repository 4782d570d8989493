import { describe, expect, it } from 'vitest';
import { capturedOf } from '../../nodes/Maxun/results/captured';
import { textsOf } from '../../nodes/Maxun/results/changes';
import { changesBetween } from '../../nodes/Maxun/results/comparison';
import type { Noise } from '../../nodes/Maxun/results/noise';
import { NOISE, noisyPage, REAL_CHANGES } from './noisyPages.mts';
import { robotWith } from './robotWith.mts';

const rest = async () => await Promise.resolve();
/** Checks of a page, with these texts in order. */
function checksOf(texts: string[]) {
	const robot = robotWith(texts.map((markdown) => ({ markdown })));
	/** The changed lines of a check, its hints, and the earlier runs that it read. */
	const check = async (day: number, ignoreInTexts?: Noise) => {
		const { changes, ...more } = await robot.check(day, { ignoreInTexts });
		return { changes: changes.map(textsOf), ...more };
	};
	return { check };
}

const isChange = async (before: string, after: string, noise: Noise) => {
	const { changes } = await checksOf([before, after]).check(1, noise);
	return changes.length > 0;
};

describe("'Ignore Numbers and Dates'", () => {
	it.each([
		['Visitors today: 1,532', 'Visitors today: 1,690'],
		['You are visitor number 15,322.', 'You are visitor number 15,391.'],
		['15 people are watching this', '3 people are watching this'],
		['**1.2k** views', '**1.3k** views'],
		['12 comments · 30 shares', '13 comments · 31 shares'],
		['4.5 (1,204 reviews)', '4.5 (1,207 reviews)'],
		['Noch 12 Bewertungen', 'Noch 13 Bewertungen'],
		['Last updated: 12 Nov 2026, 10:33', 'Last updated: 13 Nov 2026, 09:12'],
		['Updated 2026-11-12T10:33:00Z', 'Updated 2026-11-13T10:41:12Z'],
		['Friday, November 27, 2026', 'Saturday, November 28, 2026'],
		['Friday, November 27', 'Saturday, November 28'],
		['Stand: 27.11.2026 um 10:33 Uhr', 'Stand: 28.11.2026 um 11:34 Uhr'],
		['Posted 3 hours ago by Anna', 'Posted 2 days ago by Anna'],
		['Updated yesterday', 'Updated today'],
		['Aktualisiert vor 3 Stunden', 'Aktualisiert vor 5 Minuten'],
		['Il y a 2 heures', 'Il y a 3 jours'],
		['The time is 10:33:12 pm', 'The time is 11:34:01 am'],
		['03/04/2026', '03/05/2026'],
	])('%s is %s', async (before, after) => {
		expect(await isChange(before, after, { numbers: true })).toBe(false);
		expect(await isChange(before, after, {})).toBe(true);
	});

	it.each([
		['Version 2', 'Version 3'],
		['Version: 2', 'Version: 3'],
		['Release 1.2.10', 'Release 1.2.11'],
		['v1.02.10', 'v1.03.10'],
		['$19.99', '$18.99'],
		['Price: 199.00', 'Price: 189.00'],
		['EUR 249', 'EUR 199'],
		['249 €', '199 €'],
		['12 sold · $5.00', '13 sold · $4.00'],
		['249', '199'],
		['12 kr sold', '10 kr sold'],
		['30 days notice', '14 days notice'],
		['16 GB of memory', '8 GB of memory'],
		['Section 5. Data', 'Section 6. Data'],
		['12 comments', 'Comments are closed'],
		['Posted 3 hours ago by Anna', 'Posted 3 hours ago by Ben'],
		['iPhone 15', 'iPhone 16'],
		['Rated 4.5 of 5', 'Rated 3.5 of 5'],
		['May 5 people enter', 'May 6 dogs enter'],
	])('%s is not %s', async (before, after) => {
		expect(await isChange(before, after, { numbers: true })).toBe(true);
	});
});

describe('Texts', () => {
	const page = [
		...['Nav: Terms of Service', '# Shop', 'Welcome', '## Terms of Service', 'We sell desks.'],
		...['### Returns', '30 days', 'Footnote', '## Contact', 'Call us', '# Imprint', 'Anna'],
	].join('\n');
	const without = (old: string, young: string) => page.replace(old, young);

	it.each<[part: string, changed: string, counts: boolean]>([
		['Terms of Service', without('desks', 'chairs'), true],
		['terms of  service', without('30 days', '14 days'), true],
		['Terms of Service', without('Call us', 'Write to us'), false],
		['Terms of Service', without('Welcome', 'Hello'), false],
		['Footnote', without('30 days', '14 days'), true],
		['Footnote', without('desks', 'chairs'), false],
		['Call us', without('Anna', 'Ben'), false],
		['Nav', without('Welcome', 'Hello'), false],
		['Terms of Service', without('## Terms of Service', '## Terms'), true],
	])("with the 'Part of the Page' %j, only its section counts", async (part, changed, counts) => {
		expect(await isChange(page, changed, { part })).toBe(counts);
	});

	it('underlined headings also begin sections', async () => {
		const old = 'Shop\n====\nHello\nTerms\n-----\nWe sell.\nContact\n-------\nCall';
		expect(await isChange(old, old.replace('sell', 'buy'), { part: 'Terms' })).toBe(true);
		expect(await isChange(old, old.replace('Call', 'Mail'), { part: 'Terms' })).toBe(false);
	});

	it('a part that no page contains is an error', async () => {
		await expect(isChange(page, page.replace('Anna', 'Ben'), { part: 'Terns' })).rejects.toThrow(
			"No page contains 'Terns'",
		);
	});

	it('lines that contain a word are ignored, and the diff does not show them', async () => {
		const { changes } = await checksOf(['Ad: Buy A\nOak', 'Ad: Buy B\nElm']).check(1, {
			lines: ['ad:'],
		});
		expect(changes).toEqual([['Oak', 'Elm']]);
	});

	it('the diff shows the numbers of equal lines as before', async () => {
		const noise = { numbers: true };
		const { changes } = await checksOf(['5 views\n8 views\nOak', '8 views\n9 views\nElm']).check(
			1,
			noise,
		);
		expect(changes).toEqual([['5 views\n8 views\nOak', '5 views\n8 views\nElm']]);
	});

	const daily = ['Cat', 'Dog', 'Cow', 'Fox', 'Owl'].map((word) => `Top\n${word}\nPrice\nEnd`);

	it('text that differed in three of the last comparisons is ignored, and a hint mentions it', async () => {
		const { check } = checksOf(daily);
		const { changes, hints } = await check(4, { always: true });
		expect(changes).toEqual([]);
		expect(hints.join()).toMatch(/always|last values 1 'Owl'/i);
		expect((await check(3, { always: true })).changes).toHaveLength(1);
	});

	it('only that option reads earlier runs, and only if the text has changed', async () => {
		const { check } = checksOf([...daily, daily[4] ?? '']);
		expect((await check(4, { numbers: true })).reads).toEqual([]);
		expect((await check(4, { always: true })).reads).toEqual(['2', '1', '0']);
		expect((await check(5, { always: true })).reads).toEqual([]);
	});

	it.each<[string, string]>([
		['a price', daily.map((text, day) => text.replace(/Price/, `$${day + 10}`)).join('|')],
		[
			'another line in the same place',
			`${daily.slice(0, 4).join('|')}|Top\nOwl\nWe move\nPrice\nEnd`,
		],
		['no line in the same place', `${daily.slice(0, 4).join('|')}|Top\nPrice\nEnd`],
		['a line around it', `${daily.slice(0, 4).join('|')}|Top\nOwl\nPrices\nEnd`],
		['another form', '9 left|8 left|7 left|5 left|Sold out'],
	])('%s still counts', async (_, texts) => {
		const { changes } = await checksOf(texts.split('|')).check(4, { always: true });
		expect(changes).toHaveLength(1);
	});
});

describe('20 noisy pages, 100 checks each', () => {
	const pages = Array.from({ length: 20 }, (_, index) => {
		const linesOf = noisyPage(index + 1);
		return Array.from({ length: 100 }, (__, day) => linesOf(day));
	});
	const captured = (lines: string[]) =>
		capturedOf({ id: 'run', status: 'success', data: { markdown: lines.join('\n') } });

	/** The changed texts of checks, each compared with the check before it. */
	async function changesIn(checks: string[][], noise?: Noise, from = 0) {
		const runs = checks.map(captured);
		const found: Array<ReturnType<typeof textsOf>> = [];
		for (const [day, later] of runs.entries()) {
			const [earlier, ...former] = runs.slice(Math.max(0, day - 5), day).reverse();
			if (!earlier || day < from) continue;
			const settings = { ignoreInTexts: noise };
			const changes = await changesBetween({ ...earlier, former }, later, settings, rest, () => {});
			found.push(...changes.map(textsOf));
		}
		return found;
	}

	it('do not cause a false alarm with the three options, and cause one in each check without them', async () => {
		const found = await Promise.all(pages.map(async (checks) => await changesIn(checks, NOISE, 4)));
		expect(found.flat()).toEqual([]);
		const [first = []] = pages;
		expect(await changesIn(first, undefined, 4)).toHaveLength(96);
	}, 120_000);

	it.each(REAL_CHANGES)(
		'%s is found on five pages',
		async (name, change) => {
			for (let index = 0; index < 5; index++) {
				const page = (name.length + 7 * index) % 20;
				const day = 10 + 13 * index;
				const before = (pages[page] ?? [])
					.slice(day - 5, day)
					.map((lines, own) => change.before(lines, own));
				const after = change.after(change.before(pages[page]?.[day] ?? [], 5));
				const found = await changesIn([...before, after], NOISE, 5);
				expect(found).toHaveLength(1);
				const [[old = '', young = ''] = []] = found;
				expect(old).not.toBe(young);
			}
		},
		60_000,
	);
});
