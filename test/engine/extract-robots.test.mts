import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { LOGIN_STEPS, robotsLeft, unique } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { CUSTOMER } from '../sandbox/site/site.mts';
import { succeeded, useOperations } from './support/details.mts';
import { extractOn, fields, list, lists, QUICK, steps, textOf } from './support/extract.mts';

const { sandbox, ...operations } = useOperations({
	settings: { runSeconds: 0.05, selfHostedStepSeconds: 0.02 },
});

const page = (path: string) => `${sandbox.siteUrl}${path}`;

const LOGIN = steps(...LOGIN_STEPS);
const BALANCE = fields({ name: 'Balance', selector: '.balance' });

describe.each(['cloud', 'selfHosted'])('on the server %s', (server) => {
	const { run, rows, succeed, create, created, robotsNamed } = extractOn(sandbox, server);

	describe('pagination', () => {
		it('the row limit applies to all pages together, and a hint says that rows may be missing', async () => {
			const given = list({ pagination: 'clickNext', paginationSelector: 'a.next', rowLimit: 11 });
			const { json, hints } = await run('web', 'extractRows', {
				url: page('/products'),
				specifyFields: 'fields',
				...lists(given),
				options: QUICK,
			});
			expect(json).toHaveLength(11);
			expect(hints).toEqual([
				`The list 'Products' has 11 rows, which is its 'Max Rows'. The page may have more: ${page('/products')}`,
			]);
		});
	});

	describe('columns', () => {
		/** Maxun Cloud doesn't return the names of lists. */
		const named = (list: string) => (server === 'cloud' ? {} : { list });

		it('Maxun detects the columns of a list without columns', async () => {
			const found = await rows({ url: page('/products'), ...lists(list({ columns: {} })) });
			expect(found).toHaveLength(8);
			expect(Object.keys(found[0] ?? {})).toContain('Label 1');
		});

		it('XPath selects rows, columns and the row itself', async () => {
			const columns = {
				values: [
					{ name: 'Product', selector: './h2/a' },
					{ name: 'Price', selector: ".//span[contains(@class, 'price')]" },
					{ name: 'Everything', selector: '.' },
				],
			};
			const given = list({ rowSelector: "//li[contains(@class, 'product')]", columns });
			const [first] = await rows({ url: page('/products'), ...lists(given) });
			expect(first).toEqual({
				Product: 'Walnut desk',
				Price: '$249.00',
				Everything: expect.stringContaining('12 in stock'),
			});
		});

		it('single fields are added to the rows of all lists', async () => {
			const columns = { values: [{ name: 'Next', selector: 'a.next', returnValue: 'link' }] };
			const found = await rows({
				url: page('/products'),
				...fields({ name: 'Heading', selector: 'h1' }),
				...lists(list(), list({ name: 'Links', rowSelector: 'nav.pages', columns })),
			});
			expect(found).toHaveLength(9);
			expect(found.at(-1)).toEqual({
				Heading: 'Products',
				Product: null,
				Number: null,
				Next: page('/products?page=2'),
				...named('Links'),
			});
		});

		it('equal names in several lists have their own types, even next to a list whose columns Maxun detects', async () => {
			const label = (selector: string, type: string) => ({
				columns: { values: [{ name: 'Label', selector, type }] },
			});
			const next = { name: 'Links', rowSelector: 'nav.pages', ...label('a.next', 'text') };
			const given = [list(label('.price', 'number')), list(next)];
			const url = page('/products');
			const price = server === 'cloud' ? '$249.00' : 249;
			const typed = await rows({ url, ...lists(...given) });
			expect(typed[0]).toEqual({ Label: price, ...named('Products') });
			expect(typed.at(-1)).toEqual({ Label: 'Next', ...named('Links') });
			const detected = list({ name: 'All', columns: {} });
			const found = await rows({ url, ...lists(...given, detected) });
			expect(found[0]).toEqual({ Label: price, ...named('Products') });
			expect(found.at(-1)).toMatchObject({
				Label: null,
				...named('All'),
				'Label 1': expect.any(String),
			});
		});

		it("documents and links belong to the robot's page in each execution", async () => {
			const listed = { url: page('/products'), ...lists(list()) };
			const documents = async () => await rows({ ...listed, output: 'documents' });
			const [first, second] = [await documents(), await documents()];
			expect(first.length).toBeGreaterThan(0);
			expect(second).toEqual(first);
			for (const { metadata } of first) expect(metadata).toMatchObject({ url: page('/products') });
			const href = { selector: '.name a', returnValue: 'attribute', attribute: 'href' };
			const columns = { values: [{ name: 'Number', ...href, type: 'link' }] };
			for (const row of await rows({ ...listed, ...lists(list({ columns })) })) {
				expect(row.Number).toMatch(sandbox.siteUrl);
			}
		});
	});

	// Both servers do this in the same way, so one of them is enough.
	const isFirst = server === 'selfHosted';

	describe.runIf(isFirst)('empty cells', () => {
		const given = (rowSelector: string, ...columns: INodeParameters[]) => ({
			url: page('/kinds/news'),
			specifyFields: 'fields',
			...lists(list({ rowSelector, columns: { values: columns } })),
			options: QUICK,
		});
		const hintsOf = async (parameters: INodeParameters) =>
			(await run('web', 'extractRows', parameters)).hints;

		it('are counted by column', async () => {
			const title = { name: 'Title', selector: '.titleline > a' };
			const points = { name: 'Points', selector: '+ tr .score' };
			const rank = { name: 'Rank', selector: '.rank', returnValue: 'link' };
			expect(await hintsOf(given('tr.athing', title, points, rank))).toEqual([
				"Columns with empty cells: 'Points' (1 of 3)",
				"Columns without any value: 'Rank'",
			]);
		});

		it('list columns whose selectors only a browser understands', async () => {
			const title = { name: 'Title', selector: '.titleline > a:first-of-type:not(:hover)' };
			const link = { name: 'Link', selector: '.titleline > :first-of-type', returnValue: 'link' };
			expect(await hintsOf(given('tr.athing', title, link))).toEqual([
				"Maxun could not try the selectors of some columns before their first run. Columns: 'Title', 'Link'",
			]);
		});

		it('a list without rows has no data, even if there is a field', async () => {
			const nothing = {
				...given('tr.nothing', { name: 'Title', selector: '.title' }),
				...fields({ name: 'First', selector: '.rank' }),
				additionalFields: { skipSelectorCheck: true },
			};
			expect(await hintsOf(nothing)).toEqual([
				`No row was captured. Maxun may not be able to open the page, or 'Row Selector' does not match anything: ${page('/kinds/news')}`,
			]);
			const options = { ...QUICK, ifNoData: 'error' };
			const { error } = await run('web', 'extractRows', { ...nothing, options });
			expect(error?.message).toContain('captured no data');
			expect(error?.description).toMatch(/turn on 'Keep Robot'$/);
			expect(await robotsLeft(sandbox)).toEqual([]);
			expect(await rows(nothing)).toEqual([{ First: '1.', Title: null }]);
		});
	});

	describe('steps', () => {
		it('steps can also be an option, a key, a wait, scrolling and a screenshot, and can be copied as JSON', async () => {
			const given = [
				{ action: 'selectOption', selector: 'select', option: 'Second page' },
				{ action: 'type', selector: '[name="q"]', text: 'desk' },
				{ action: 'pressKey', key: 'Enter' },
				{ action: 'wait', seconds: 1 },
				{ action: 'scroll', screens: 2 },
				{ action: 'screenshot' },
			];
			const url = page('/kinds/filter');
			const additionalFields = { skipSelectorCheck: true };
			const definition = { url, additionalFields, ...steps(...given), ...lists(list()) };
			const options = { ...QUICK, downloadScreenshots: true };
			const parameters = { ...definition, specifyFields: 'fields', options };
			const { rows: found, json } = succeeded(await run('web', 'extractRows', parameters));
			expect(json.map((row) => row.Number)).toContain(page('/products/9'));
			expect(Object.keys(found[0]?.binary ?? {})).toEqual(['screenshot']);
			const [{ text: _, ...typed }] = [{ ...given[1], text: '' }];
			const robot = await created(definition);
			const described = given.map((step) => (step.action === 'type' ? typed : step));
			expect(robot.steps).toMatchObject(described);
			const copied = JSON.stringify({ fields: robot.fields, lists: robot.lists, steps: given });
			const form = { specifyFields: 'json', json: copied };
			const copy = await created({ url, additionalFields, ...form });
			expect(copy).toMatchObject({ lists: robot.lists, steps: robot.steps });
		});

		it('typed text is never returned', async () => {
			const url = page('/account');
			const additionalFields = { startUrl: page('/login') };
			const robot = await created({ url, additionalFields, ...LOGIN, ...BALANCE });
			const robotId = locator(String(robot.id));
			const [raw] = await succeed('robot', 'get', { robotId, output: 'raw' });
			expect(JSON.stringify([robot, raw])).not.toContain(CUSTOMER.password);
		});

		it('a failed login makes the run fail, and the error says why', async () => {
			const wrong = steps(
				{ action: 'type', selector: '#password', text: 'wrong-password' },
				{ action: 'click', selector: 'button[type=submit]' },
				{ action: 'waitForElement', selector: '.balance', seconds: 5 },
			);
			const { error } = await run('web', 'extractRows', {
				url: page('/account'),
				specifyFields: 'fields',
				additionalFields: { startUrl: page('/login') },
				...wrong,
				...BALANCE,
				options: QUICK,
			});
			expect(error?.message).toContain('ended with status failed');
			expect(error?.description).toContain('.balance');
			expect(textOf(error)).not.toContain('wrong-password');
		});
	});

	it.runIf(isFirst)(
		'an existing robot for the same page causes an error and does not change',
		async () => {
			const given = { name: unique('Same'), url: page('/products') };
			const { id } = await created({ ...given, ...fields({ name: 'Heading', selector: 'h1' }) });
			const { error } = await create({ ...given, ...fields({ name: 'Lead', selector: '.lead' }) });
			expect(error?.message).toBe(`A robot named '${given.name}' already exists`);
			expect(error?.description).toContain(`Its ID is ${String(id)}`);
			const [robot] = await succeed('robot', 'get', { robotId: locator(String(id)) });
			expect(robot?.fields).toEqual([{ name: 'Heading', selector: 'h1', returnValue: 'text' }]);
		},
	);

	describe.runIf(isFirst)('faults', () => {
		const robot = () => ({ url: page('/products'), ...lists(list()) });
		const cannotBeSaved = async () =>
			await sandbox.respond(400, 'PUT ^/sdk/robots/', { body: { error: 'No' } });

		it('a robot is deleted if its lists and fields cannot be saved', async () => {
			const name = unique('Unsaved');
			await cannotBeSaved();
			const { error } = await create({ name, ...robot() });
			expect(error?.description).toContain('No');
			expect(await robotsNamed(name)).toBe(0);
		});

		it('the error also mentions a robot that cannot be deleted', async () => {
			const name = unique('Left');
			await cannotBeSaved();
			await sandbox.respond(403, 'DELETE');
			const { error } = await create({ name, ...robot() });
			expect(error?.description).toMatch(
				new RegExp(`The robot '${name}' remains in Maxun .* Its ID is [0-9a-f-]{36}`),
			);
			expect(await robotsNamed(name)).toBe(1);
		});

		it('a robot whose response is lost is found by name and completed', async () => {
			const name = unique('Found');
			const creation = { method: 'POST', path: '^/sdk/robots$' };
			await sandbox.control.fault({ ...creation, kind: 'reset', before: false });
			const { id } = await created({ name, ...robot() });
			expect(await robotsNamed(name)).toBe(1);
			const [found] = await succeed('robot', 'get', { robotId: locator(String(id)) });
			expect(found).toMatchObject({ lists: [{ name: 'Products', rowSelector: 'li.product' }] });
			expect(found?.fields).toBeUndefined();
		});

		it('an earlier robot with the same name is never mistaken for the lost robot', async () => {
			const name = unique('Earlier');
			const { id } = await created({ name, ...robot() });
			await sandbox.control.fault({ method: 'POST', path: '^/sdk/robots$', kind: 'reset' });
			const { error } = await create({ name, ...robot() });
			expect(error?.description).toContain(`A robot named '${name}' may exist in Maxun`);
			expect((await sandbox.owner.get(`/robots/${String(id)}`)).status).toBe(200);
		});
	});
});

it('the error for a Maxun Cloud without the routes is one sentence', async () => {
	await sandbox.control.settings({ hostedSdk: false });
	const { error } = await operations.run('robot', 'createExtract', {
		url: page('/products'),
		name: unique('Hosted'),
		specifyFields: 'fields',
		...fields({ name: 'Heading', selector: 'h1' }),
	});
	expect(error?.message).toBe(
		"Maxun Cloud does not support robots from selectors at this 'Base URL'",
	);
});
