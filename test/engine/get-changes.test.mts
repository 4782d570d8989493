import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { moveDate } from '../helpers/engine/time.mts';
import { locator } from '../helpers/parameters.mts';
import { CUSTOMER } from '../sandbox/site/site.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { DESK_EXAMPLES, DESK_LIST, PAGES, useDesks } from './support/desks.mts';
import { operationsOn, succeeded } from './support/details.mts';
import { lists, steps, textOf } from './support/extract.mts';
import { selfHostedOn } from './support/self-hosted.mts';

const sandbox = useSandbox({
	settings: { runSeconds: 0.05, selfHostedStepSeconds: 0.02, selfHostedForm: 'observed' },
});
const { url, path, show } = useDesks();
const DAY = 24 * 3_600_000;
const PRODUCTION = { mode: 'trigger' as const };
const withPrice = (price: string) => PAGES.old.replace('$174.00', price);
const BY_EXAMPLE = {
	...{ what: 'rows', specifyFields: 'example', keyFields: ['Name'] },
	examples: DESK_EXAMPLES,
};
const SELECTORS = {
	...{ what: 'rows', specifyFields: 'fields', keyFields: ['Name'], ...lists(DESK_LIST) },
};
const CHEAPER = PAGES.new.replace('$174.00', '$99.00');

describe.each(['cloud', 'selfHosted'] as const)('Get Changes on the server %s', (server) => {
	const operations = server === 'cloud' ? operationsOn(sandbox) : selfHostedOn(sandbox);
	const onServer = server === 'cloud' ? {} : { delayBeforeStart: 0 };
	const check = async ({ options, ...more }: INodeParameters = {}, given = {}) =>
		await operations.run(
			'web',
			'getChanges',
			{ urls: url(), what: 'text', options: { ...onServer, ...Object(options) }, ...more },
			{ ...PRODUCTION, ...given },
		);
	const changes = async (...given: Parameters<typeof check>) =>
		succeeded(await check(...given)).json;
	/** The node's robots, including robots that lists leave out. */
	const kept = async () => {
		const { list } = await sandbox.owner.get('/robots?q=n8n&limit=100');
		return list.map(({ id, name }) => ({ id: String(id), name: String(name) }));
	};
	const robots = async () => (await kept()).filter(({ name }) => name.includes(path()));
	const names = async () => (await robots()).map(({ name }) => name);

	it('the first check stores the page, and later checks return the changed text', async () => {
		const first = await check();
		expect(succeeded(first).json).toEqual([]);
		expect(first.hints.join()).toMatch(/checked these pages for the first time.*\(1 row\)/);
		expect(await changes()).toEqual([]);
		show(withPrice('$99.00'));
		const [change, ...others] = await changes();
		expect(others).toEqual([]);
		expect(change).toMatchObject({ change: 'changed', pageUrl: url() });
		expect(change?.diff).toMatch(/^-.*174.*\n\+.*99/m);
		expect(await changes()).toEqual([]);
	});

	it('noise in a text is ignored', async () => {
		const noisy = (views: number, more = '') =>
			show(PAGES.old.replace('</body>', `<p>${views} views</p><p>${more}</p></body>`));
		const form = { options: { ignoreInTexts: { numbers: true, lines: 'Sponsored\nAdvert' } } };
		noisy(12, 'Sponsored: lamps');
		await changes(form);
		noisy(13, 'Advert: beds');
		expect(await changes(form)).toEqual([]);
		noisy(14, 'We move');
		expect(await changes(form)).toMatchObject([{ diff: '+ We move' }]);
	});

	it('a part that the page does not contain fails at the first check', async () => {
		const { error } = await check({ options: { ignoreInTexts: { part: 'Terns of Service' } } });
		expect(error?.message).toContain("contains 'Terns of Service'");
	});

	it('a price that changes too much fails the data check', async () => {
		const columnChecks = { values: [{ column: 'Price', check: 'changesBy', value: 10 }] };
		const form = { ...BY_EXAMPLE, options: { dataChecks: { columnChecks } } };
		await changes(form);
		show(PAGES.old.replaceAll('$', '$9'));
		const { error } = await check(form);
		expect(error?.message).toContain("the median of 'Price'");
		show(PAGES.old);
		expect(await changes(form)).toEqual([]);
	});

	it('rows by example: one run per check after the first', async () => {
		await changes(BY_EXAMPLE);
		const before = await sandbox.starts();
		for (let day = 1; day <= 5; day++) {
			moveDate(DAY);
			show(withPrice(`$${174 - day}.00`));
			expect(await changes(BY_EXAMPLE)).toMatchObject([
				{
					...{ change: 'changed', Name: 'Oak desk', Price: 174 - day },
					...{ before: { Price: 175 - day }, difference: { Price: -1 } },
				},
			]);
		}
		expect((await sandbox.starts()) - before).toBe(5);
		const { json } = await operations.run('robot', 'getAll', { returnAll: true }, {});
		expect(json.filter(({ name }) => String(name).startsWith('n8n'))).toEqual([]);
	});

	it('a page that is sold out for a check is compared with its last price', async () => {
		const form = {
			...BY_EXAMPLE,
			options: {
				onlyIf: { values: [{ condition: 'fallsBelow', column: 'Price', value: '150' }] },
			},
		};
		await changes(form);
		show(withPrice('Sold out'));
		expect(await changes(form)).toEqual([]);
		show(withPrice('$140.00'));
		expect(await changes(form)).toMatchObject([{ Name: 'Oak desk', Price: 140 }]);
	});

	it("'Return All' returns the rows of the first check as added, whatever the conditions say", async () => {
		const onlyIf = { values: [{ condition: 'fallsBelow', column: 'Price', value: '1' }] };
		const form = { ...BY_EXAMPLE, options: { firstCheck: 'all', onlyIf } };
		const rows = await changes(form);
		expect(rows).toHaveLength(5);
		expect(rows[0]).toMatchObject({ change: 'added' });
		expect(await changes(form)).toEqual([]);
	});

	it('a test in the editor returns all rows, and changes nothing', async () => {
		await changes(BY_EXAMPLE);
		show(withPrice('$99.00'));
		const test = await check(BY_EXAMPLE, { mode: 'manual' });
		expect(test.error?.message).toMatch(/does not contain the example/);
		const tested = await check(SELECTORS, { mode: 'manual' });
		expect(succeeded(tested).json).toHaveLength(5);
		expect(tested.hints.join()).toContain('In a test');
		expect(await changes(BY_EXAMPLE)).toMatchObject([{ before: { Price: 174 } }]);
	});

	it('several pages: a wrong URL does not affect the other pages', async () => {
		const urls = [url(), `${url()}other`, 'no-url'].join('\n');
		await check({ ...BY_EXAMPLE, urls });
		show(withPrice('$99.00'));
		const { json, hints } = succeeded(await check({ ...BY_EXAMPLE, urls }));
		expect(json.map(({ pageUrl }) => pageUrl)).toEqual([url(), `${url()}other`]);
		expect(hints.join()).toContain('1 of 3 pages failed: no-url (not a valid URL)');
	});

	it(`pages are checked ${server === 'cloud' ? 'at the same time' : 'one after another'}`, async () => {
		const urls = [1, 2, 3].map((page) => `${url()}${page}`).join('\n');
		await changes({ urls });
		const isStart = (line: string) => /^POST \S+\/(runs|execute)$/.test(line);
		const lines = (await sandbox.lines()).filter(
			(line) => isStart(line) || /\/runs\/(?!active)/.test(line),
		);
		expect(lines.findIndex((line) => !isStart(line))).toBe(server === 'cloud' ? 3 : 1);
	});

	it('a page whose URL is spelled in several ways has one run', async () => {
		const urls = [url(), `${url()}#top`, url().replace('http:', 'HTTP:')].join('\n');
		const before = await sandbox.starts();
		await changes({ what: 'text', urls });
		show(withPrice('$99.00'));
		expect(await changes({ what: 'text', urls })).toHaveLength(3);
		expect((await sandbox.starts()) - before).toBe(2);
	});

	it("with 'If No Data', an empty page is a page without rows", async () => {
		const form = { ...SELECTORS, options: { ifNoData: 'nothing' } };
		await changes(form);
		show('<html><body><h1>Desks</h1><ul></ul></body></html>');
		expect(await changes(form)).toMatchObject(Array(5).fill({ change: 'removed' }));
		expect(await changes(form)).toEqual([]);
		show(PAGES.old);
		expect(await changes(form)).toMatchObject(Array(5).fill({ change: 'added' }));
		expect(await changes(form)).toEqual([]);
	});

	it('a second attempt does not check a page again', async () => {
		const urls = `${url()}\nno-url`;
		await check({ what: 'text', urls });
		show(withPrice('$99.00'));
		const before = await sandbox.starts();
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
		const { json } = succeeded(await check({ what: 'text', urls }, { node }));
		expect(json).toHaveLength(1);
		expect((await sandbox.starts()) - before).toBe(1);
	});

	it('a misspelled key column fails the first check', async () => {
		const { error } = await check({ ...BY_EXAMPLE, keyFields: ['SKU'] });
		expect(error?.message).toMatch(/SKU/);
	});

	it('a redesign that empties a column does not count as a change of each row', async () => {
		await changes(SELECTORS);
		const twoRows = CHEAPER.split('</li>').slice(0, 2);
		show(`${twoRows.join('</li>')}</li></ul></body></html>`);
		const { error } = await check(SELECTORS);
		expect(error?.message).toMatch(/has no value in 'Price'/);
		expect(error?.description).toContain("turn on 'Repair Selectors'");
		show(withPrice('$99.00'));
		expect(await changes(SELECTORS)).toMatchObject([{ before: { Price: '$174.00' } }]);
	});

	it.each([
		['a column', SELECTORS, CHEAPER],
		['a column by example', BY_EXAMPLE, CHEAPER],
		['all rows', SELECTORS, CHEAPER.replaceAll('"product"', '"item"')],
		['all rows by example', BY_EXAMPLE, CHEAPER.replaceAll('"product"', '"item"')],
	])("'Repair Selectors' finds %s after a redesign", async (_, given, page) => {
		const form = { ...given, options: { repairSelectors: true } };
		await changes(form);
		const before = await sandbox.starts();
		expect(await changes(form)).toEqual([]);
		expect((await sandbox.starts()) - before).toBe(1);
		show(page);
		const { json, hints } = succeeded(await check(form));
		expect(json).toMatchObject([{ Name: 'Oak desk', before: { Price: expect.anything() } }]);
		expect(hints.join()).toContain('The page has changed');
		expect((await sandbox.starts()) - before).toBe(4);
		expect(await changes(form)).toEqual([]);
		expect((await sandbox.starts()) - before).toBe(5);
	});

	it.each([SELECTORS, BY_EXAMPLE])(
		'a page that cannot be repaired fails, and the next check compares with the last good run',
		async (given) => {
			const form = { ...given, options: { repairSelectors: true } };
			await changes(form);
			const before = await sandbox.starts();
			show(PAGES.soldOut);
			const { error } = await check(form);
			expect(error?.message).toMatch(/has no value in 'Price'/);
			expect((await sandbox.starts()) - before).toBe(2);
			show(withPrice('$99.00'));
			expect(await changes(form)).toMatchObject([{ before: { Price: expect.anything() } }]);
		},
	);

	it.each([false, true])(
		'after a new password, a new robot reads the page (%s)',
		async (repairs) => {
			const { siteUrl } = sandbox;
			const columns = { values: [{ name: 'What', selector: '.what' }] };
			const form = {
				...SELECTORS,
				...{ urls: `${siteUrl}/account?${server}${path()}`, keyFields: ['What'] },
				...lists({ ...DESK_LIST, rowSelector: 'li.order', columns }),
				...{
					additionalFields: { startUrl: `${siteUrl}/login` },
					options: { repairSelectors: repairs },
				},
				...steps(
					{ action: 'type', selector: '#email', textFrom: 'user' },
					{ action: 'type', selector: '#password', textFrom: 'password' },
					{ action: 'click', selector: 'button[type=submit]' },
					{ action: 'waitForElement', selector: '.balance', seconds: 5 },
				),
			};
			const { email: user, password: former } = CUSTOMER;
			const checkAs = async (password: string) => {
				const maxunWebsiteLoginApi = { user, password };
				const credentials = { ...sandbox.credentials(), ...sandbox.serverCredentials() };
				return await changes(form, { credentials: { ...credentials, maxunWebsiteLoginApi } });
			};
			await checkAs(former);
			CUSTOMER.password = 'another';
			expect(await checkAs('another').finally(() => (CUSTOMER.password = former))).toEqual([]);
		},
	);

	it('rows that cannot be repaired are found again with the examples', async () => {
		const form = { ...BY_EXAMPLE, options: { repairSelectors: true, ifNoData: 'error' } };
		await changes(form);
		const names = ['Oak desk', 'Elm desk', 'Fir desk', 'Teak desk', 'Cedar desk'];
		const rows = names.map((name, at) => `<p><b>${name}</b><i>$${174 + at * 9}.00</i></p>`);
		show(`<html><body>${rows.join('')}</body></html>`);
		expect(await changes(form)).toHaveLength(8);
		expect(await changes(form)).toEqual([]);
	});

	it('a column that only some rows have is not repaired', async () => {
		const form = { ...SELECTORS, options: { repairSelectors: true } };
		const rare = PAGES.old.replace(/class="price">\$(?!174)/g, 'class="other">$');
		show(rare);
		await changes(form);
		const before = await sandbox.starts();
		show(rare.replace('"price"', '"other"'));
		await changes(form);
		expect((await sandbox.starts()) - before).toBe(1);
	});

	it('a page is left to another execution that checks it', async () => {
		await changes();
		await sandbox.control.settings({ runSeconds: 3, selfHostedStepSeconds: 1 });
		show(withPrice('$99.00'));
		const [first, second] = await Promise.all([
			check(),
			sandbox.owner.startedRun().then(async () => await check()),
		]);
		expect(succeeded(first).json).toHaveLength(1);
		expect(succeeded(second).json).toEqual([]);
		expect(second.hints.join()).toContain('Another execution is checking');
		await sandbox.control.settings({ runSeconds: 0.05, selfHostedStepSeconds: 0.02 });
	});

	describe.runIf(server === 'cloud')('the robots', () => {
		it('have the page, the end and the last run in their names', async () => {
			await changes({ ...BY_EXAMPLE, urls: `${url()}list?secret=1` });
			const [name, ...others] = await names();
			expect(others).toEqual([]);
			expect(name).toMatch(/^n8n watches 127\.0\.0\.1\S+\/list until \d{4}-\S+Z \w{26} 1 [\w-]+$/);
		});

		it('need at most four requests for a page and check, apart from polls', async () => {
			const urls = Array.from({ length: 10 }, (_, page) => `${url()}${page}`).join('\n');
			await changes({ ...BY_EXAMPLE, urls });
			const before = (await sandbox.lines()).length;
			await changes({ ...BY_EXAMPLE, urls });
			const lines = (await sandbox.lines()).slice(before);
			const counted = lines.filter((line) => line !== 'GET /runs/active');
			expect(counted.length).toBeLessThanOrEqual(10 * 4 + 2);
			expect(lines.filter((line) => /^POST/.test(line))).toHaveLength(10);
		});

		it('a failed page does not leave a robot', async () => {
			await sandbox.respond(402, 'POST /robots/[^/]+/runs$');
			const { error } = await check();
			expect(error).toBeDefined();
			expect(await names()).toEqual([]);
		});

		it('a page that is returned as failed does not leave a robot', async () => {
			const before = await kept();
			show('<html><body><h1>Access denied</h1><p>You have been blocked.</p></body></html>');
			const failed = await changes({ options: { onFailure: 'return' } });
			expect(failed).toHaveLength(1);
			expect(JSON.stringify(failed)).toMatch(/denied|blocked/i);
			expect(await names()).toEqual([]);
			expect(await kept()).toEqual(before);
		});

		it('make room for another form of their page if the plan does not allow more robots', async () => {
			await changes();
			const { length } = await kept();
			await sandbox.respond(403, 'POST /robots', { error: 'Robot limit reached for your plan' });
			expect(await changes(SELECTORS)).toEqual([]);
			expect(await kept()).toHaveLength(length);
		});

		it('of other pages are kept, even if the plan does not allow more robots', async () => {
			await changes();
			await sandbox.respond(403, 'POST /robots', {
				...{ error: 'Robot limit reached for your plan', times: 5 },
			});
			const { error } = await check({ urls: `${url()}other` });
			expect(error && textOf(error)).toContain('Robot limit reached');
			expect(await names()).toHaveLength(1);
		});

		it('a run that Maxun does not show is replaced only once', async () => {
			await changes();
			const before = await sandbox.starts();
			await sandbox.respond(404, 'GET /runs/(?!active)', {
				...{ error: 'Run not found', times: 200 },
			});
			const { error, json, hints } = await check({ options: { runLimit: 2 } });
			expect({ message: error?.message, json, hints }).toMatchObject({
				message: expect.stringContaining('could not find'),
			});
			expect((await sandbox.starts()) - before).toBeLessThanOrEqual(2);
		});

		it('if its last run is deleted, the previous good run counts', async () => {
			await changes();
			await changes();
			const [name = ''] = await names();
			const runId = name.split(' ').at(-1) ?? '';
			await sandbox.owner.delete(`/runs/${runId}`);
			show(withPrice('$99.00'));
			expect(await changes()).toHaveLength(1);
		});
	});

	it.runIf(server === 'selfHosted')('a copy replaces a robot with many runs', async () => {
		const onlyIf = { values: [{ condition: 'fallsBelow', column: 'Price', value: '150' }] };
		const form = { ...BY_EXAMPLE, options: { onlyIf } };
		await changes(form);
		const stored = async () => {
			const { list } = await sandbox.server.get('/sdk/robots');
			const all = list.map((robot): { id: string; name: string } => Object(robot.recording_meta));
			return all.filter(({ name }) => name.includes(path()));
		};
		const [robot] = await stored();
		const meta = { name: robot?.name.replace(/ 1 (?=\S+$)/, ' 30 ') };
		await sandbox.server.put(`/sdk/robots/${robot?.id}`, { meta });
		show(withPrice('Sold out'));
		expect(await changes(form)).toEqual([]);
		const left = await stored();
		expect(left).toMatchObject([{ name: expect.stringMatching(/ 1 \S+$/) }]);
		expect(left[0]?.id).not.toBe(robot?.id);
		// The last price is in a run of the former robot.
		show(withPrice('$140.00'));
		expect(await changes(form)).toMatchObject([{ Name: 'Oak desk', Price: 140 }]);
		expect(await changes(form)).toEqual([]);
	});

	it('if a page has two robots, the robot with the latest run counts', async () => {
		await changes();
		const [{ id, name = '' } = {}] = await robots();
		const { data } = await sandbox.owner.post(`/robots/${id}/duplicate`, { url: url() });
		const runId = String((await sandbox.owner.run(String(data.id))).id);
		// Both were used in the same minute.
		const other = name.replace(/\w{6} 1 \S+$/, `abcdef 1 ${runId}`);
		await sandbox.owner.patch(`/robots/${String(data.id)}`, { name: other });
		show(withPrice('$99.00'));
		expect(await changes()).toHaveLength(1);
		const used = await names();
		expect(used).toContain(name);
		expect(used).not.toContain(other);
	});

	it("copies the user's robot for each page, and again after it was recorded again", async () => {
		const own = { name: `Desks ${server} ${path()}`, url: url(), specifyFields: 'fields' };
		const created = await operations.run('robot', 'createExtract', { ...own, ...lists(DESK_LIST) });
		const id = String(succeeded(created).json[0]?.id);
		const recordAgain = async (changed: string, by: string, more: object = { meta: {} }) => {
			const { data } = await sandbox.server.get(`/sdk/robots/${id}`);
			const { workflow } = Object(data.recording);
			const text = JSON.stringify(workflow).replaceAll(changed, by);
			// The sandbox never dates an entry before the entries of earlier tests.
			const { list } = await sandbox.owner.get('/robots?limit=1');
			moveDate(Math.max(Date.parse(String(list[0]?.createdAt)) - Date.now(), 0) + 2_000);
			await sandbox.server.put(`/sdk/robots/${id}`, { workflow: JSON.parse(text), ...more });
			moveDate(2_000);
		};
		const form = {
			...{ what: 'robot', robotId: locator(id), keyFields: ['Name'] },
			urls: `${url()}1\n${url()}2`,
		};
		expect(await changes(form)).toEqual([]);
		expect(await changes(form)).toEqual([]);
		show(PAGES.new.replace('$174.00', '$99.00'));
		expect((await check(form)).error?.message).toContain("no value in 'Price'");
		await recordAgain('.price', '.amount');
		const before = { Price: '$174.00' };
		expect(await changes(form)).toMatchObject([{ before }, { before }]);
		await recordAgain('"Price"', '"Cost"');
		await sandbox.respond(403, 'POST duplicate', { error: 'Robot limit reached', times: 2 });
		expect((await check(form)).hints.join()).toMatch(/did not copy it again.*Robot limit reached/);
		await sandbox.control.clearFaults();
		const { json, hints } = succeeded(await check(form));
		expect(json).toEqual([]);
		expect(hints.join()).toContain('columns have changed');
		show(PAGES.new);
		const copies = await names();
		expect(await changes(form)).toMatchObject([{ Cost: '$174.00' }, { Cost: '$174.00' }]);
		expect(await names()).toHaveLength(copies.length);
		const tables = PAGES.new.replaceAll('desk<', 'table<').replaceAll('$', '$9');
		show(tables.replaceAll('"product"', '"item"'));
		const repairing = { ...form, options: { repairSelectors: true } };
		expect((await check(repairing)).error).toBeDefined();
		// This server doesn't say that the robot was changed.
		await recordAgain('product', 'item', {});
		expect(await changes(repairing)).toHaveLength(20);
	});
});
