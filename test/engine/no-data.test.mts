import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { succeeded } from './support/details.mts';
import { NO_PAUSE, selfHostedOn } from './support/self-hosted.mts';

const sandbox = useSandbox({ settings: { selfHostedForm: 'observed', runSeconds: 0.05 } });
const own = selfHostedOn(sandbox);

/** A page that can't be opened. A self-hosted server reports success for it. */
const CLOSED = 'http://127.0.0.1:1/closed';

describe('an operation whose run has no data', () => {
	const run = async ([...operation]: [string, string], parameters: INodeParameters) => {
		const options = { ...NO_PAUSE, ...Object(parameters.options) };
		return await own.run(...operation, { ...parameters, options });
	};
	const scrape = async (ifNoData: string) =>
		await run(['web', 'scrape'], { url: CLOSED, formats: ['markdown'], options: { ifNoData } });
	const HINT = `No data was captured. Maxun may not be able to open the page: ${CLOSED}`;

	it.each([
		['item', [{ url: CLOSED, hasData: false }]],
		['nothing', []],
	])('follows the option, and shows a hint: %s', async (ifNoData, expected) => {
		const { json, hints } = succeeded(await scrape(ifNoData));
		expect([json, hints]).toEqual([expected, [HINT]]);
	});

	it('returns nothing by default, if rows are expected', async () => {
		const robotId = locator(await newRobot(sandbox, { url: CLOSED }));
		for (const output of ['rows', 'documents']) {
			const { json, hints } = succeeded(await run(['run', 'runAndWait'], { robotId, output }));
			expect(json).toEqual([]);
			expect(hints.join()).toContain('No data was captured');
		}
		const described = await run(['run', 'runAndWait'], { robotId, output: 'simplified' });
		expect(described.json).toMatchObject([{ status: 'success', hasData: false, data: {} }]);
		const crawled = succeeded(await run(['web', 'crawl'], { url: CLOSED, crawlConfig: {} }));
		expect(crawled.json).toEqual([]);
	});

	it('can fail, and still deletes its temporary robot', async () => {
		const before = await sandbox.count(/^DELETE/);
		const { error } = await scrape('error');
		expect(error?.message).toMatch(
			/^Run \S+ for http:\/\/127\.0\.0\.1:1\/closed captured no data$/,
		);
		expect(error?.description).toContain('Check the page in a browser');
		expect(await sandbox.count(/^DELETE/)).toBe(before + 1);
	});

	it('mentions the robot in the error of Run and Wait', async () => {
		const name = 'Closed page';
		const robotId = locator(await newRobot(sandbox, { name, url: CLOSED }));
		const { error } = await run(['run', 'runAndWait'], { robotId, options: { ifNoData: 'error' } });
		expect(error?.message).toMatch(/^Run \S+ of robot 'Closed page' captured no data$/);
		const nothing = await run(['run', 'runAndWait'], { robotId, options: { ifNoData: 'nothing' } });
		expect(nothing.json).toEqual([]);
		expect(nothing.hints).toEqual([
			expect.stringContaining(
				`No data was captured. Maxun may not be able to open the page: robot '${name}'`,
			),
		]);
	});

	it('leaves out the pages in Run on Many URLs, and one hint lists them', async () => {
		const robotId = locator(await newRobot(sandbox));
		const open = `${sandbox.siteUrl}/articles`;
		const { json, hints } = await run(['run', 'runOnUrls'], {
			robotId,
			urls: [CLOSED, open, `${CLOSED}/2`].join('\n'),
			options: { ifNoData: 'nothing' },
		});
		expect(json.map(({ pageUrl }) => pageUrl)).toEqual([open]);
		expect(hints).toEqual([`${HINT}, ${CLOSED}/2`]);
	});
});
