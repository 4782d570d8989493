import { LOGIN_STEPS } from '../../helpers/fixtures.mts';
import { locator } from '../../helpers/parameters.mts';
import { expectFields, expectListed, expectTexts, expectThat } from '../check.mts';
import { contractCase, type Case } from '../contract.mts';
import { idOf } from '../subject.mts';

const ARTICLE = '/articles/oiling-a-desk';

const ARRIVAL = { action: 'waitForElement', selector: '.balance', seconds: 20 };

export const robotCases: Case[] = [
	contractCase('account', 'get', async (on) =>
		expectTexts(await on.one('account', 'get'), 'email'),
	),
	contractCase('robot', 'createScrape', async (on) => {
		const [url, name, formats] = [on.page(ARTICLE), on.name(), ['markdown', 'links']];
		const fields = { url, formats, additionalFields: { name } };
		const robot = await on.one('robot', 'createScrape', fields);
		expectFields(robot, { name, url, formats, type: 'scrape' });
	}),
	contractCase('robot', 'createExtract', async (on) => {
		const [url, name] = [on.page('/account'), on.name()];
		const orders = {
			name: 'Orders',
			rowSelector: 'li.order',
			pagination: 'none',
			columns: { values: [{ name: 'What', selector: '.what' }] },
		};
		const robot = await on.one('robot', 'createExtract', {
			url,
			name,
			specifyFields: 'fields',
			lists: { values: [orders] },
			steps: { values: [...LOGIN_STEPS, ARRIVAL] },
			additionalFields: { startUrl: on.page('/login') },
		});
		expectFields(robot, { name, type: 'extract' });
		const robotId = locator(idOf(robot));
		const run = { robotId, output: 'rows', ...on.runOptions() };
		const rows = await on.run('run', 'runAndWait', run);
		expectThat(rows.length === 2, `there are ${rows.length} orders`);
		for (const row of rows) expectTexts(row, 'What');
	}),
	contractCase('robot', 'createCrawl', async (on) => {
		const [url, name] = [on.page('/'), on.name()];
		const fields = { url, crawlConfig: { limit: 2 }, additionalFields: { name } };
		expectFields(await on.one('robot', 'createCrawl', fields), { name, url, type: 'crawl' });
	}),
	contractCase('robot', 'createSearch', async (on) => {
		const name = on.name();
		const fields = { query: 'oak chair', searchConfig: { limit: 2 }, additionalFields: { name } };
		expectFields(await on.one('robot', 'createSearch', fields), { name, type: 'search' });
	}),
	contractCase('robot', 'get', async (on) => {
		const id = await on.scrapeRobot();
		const robot = await on.one('robot', 'get', { robotId: locator(id) });
		expectFields(robot, { id, url: on.page(ARTICLE) });
		expectTexts(robot, 'name', 'status');
	}),
	contractCase('robot', 'getAll', async (on) => {
		const id = await on.scrapeRobot();
		expectListed(await on.run('robot', 'getAll', { returnAll: true }), id);
	}),
	contractCase('robot', 'update', async (on) => {
		const id = await on.scrapeRobot('/products');
		const updateFields = { name: on.name(), url: on.page('/products/2'), formats: ['html'] };
		await on.run('robot', 'update', { robotId: locator(id), updateFields });
		const robot = await on.one('robot', 'get', { robotId: locator(id) });
		expectFields(robot, { name: updateFields.name, url: updateFields.url });
	}),
	contractCase('robot', 'duplicate', async (on) => {
		const [url, name] = [on.page('/products/3'), on.name()];
		const robotId = locator(await on.scrapeRobot());
		const copy = await on.one('robot', 'duplicate', { robotId, url, additionalFields: { name } });
		const read = await on.one('robot', 'get', { robotId: locator(idOf(copy)) });
		expectFields(read, { name, url });
	}),
	contractCase('robot', 'delete', async (on) => {
		const fields = { url: on.page(ARTICLE), additionalFields: { name: on.name() } };
		const id = idOf(await on.one('robot', 'createScrape', { formats: ['text'], ...fields }));
		await on.run('robot', 'delete', { robotId: locator(id) });
		const robots = await on.run('robot', 'getAll', { returnAll: true });
		expectThat(!robots.some((robot) => robot.id === id), 'the robot is still there');
	}),
	...scheduleCases(),
];

function scheduleCases(): Case[] {
	const resource = 'schedule';
	const rule = { runEvery: 1, runEveryUnit: 'MONTHS', timezone: 'Europe/Berlin', dayOfMonth: 28 };
	return [
		contractCase(resource, 'upsert', async (on) => {
			const robotId = locator(await on.scrapeRobot());
			expectFields(await on.one(resource, 'upsert', { robotId, ...rule }), rule);
		}),
		contractCase(resource, 'get', async (on) => {
			const robotId = locator(await on.scrapeRobot());
			const schedule = await on.one(resource, 'get', { robotId });
			expectFields(schedule, rule);
			expectTexts(schedule, 'cronExpression', 'nextRunAt');
		}),
		contractCase(resource, 'getAll', async (on) => {
			const id = await on.scrapeRobot();
			const scheduled = await on.run(resource, 'getAll', { returnAll: true });
			expectThat(JSON.stringify(scheduled).includes(id), 'the scheduled robot is missing');
		}),
		contractCase(resource, 'delete', async (on) => {
			const robotId = locator(await on.scrapeRobot());
			await on.run(resource, 'delete', { robotId });
			const left = await on.run(resource, 'get', { robotId });
			expectThat(left.length === 0, 'the schedule is still there');
		}),
	];
}
