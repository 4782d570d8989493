import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { LOGIN_STEPS, newProductRobot, unique } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { describeForm, NO_PAUSE } from './support/self-hosted.mts';

// Maxun changes only a copy's first page, but all pages of a robot that gets another URL.

const sandbox = useSandbox({ settings: { runSeconds: 0.05, selfHostedStepSeconds: 0.02 } });

const page = (path: string) => `${sandbox.siteUrl}${path}`;
const goto = (url: string) => ({ action: 'goto', args: [url] });
const LOADED = { action: 'waitForLoadState', args: ['networkidle'] };
const heading = (name: string) => ({
	action: 'scrapeSchema',
	name,
	args: [{ [name]: { tag: '', isShadow: false, selector: 'h1', attribute: 'innerText' } }],
});

/** A robot with two pages, which reads both. */
const recorded = () => [
	{ where: { url: page('/products/2') }, what: [heading('Second')] },
	{
		where: { url: page('/products/1') },
		what: [heading('First'), goto(page('/products/2')), LOADED],
	},
	{ where: { url: 'about:blank' }, what: [goto(page('/products/1')), LOADED] },
];

describeForm(sandbox, 'observed', (own) => {
	const { succeed } = own;
	/** A robot that logs in before it opens the page with the data. If the login fails, so does the run. */
	const newCustomerRobot = async (): Promise<string> => {
		const arrival = { action: 'waitForElement', selector: '.balance', seconds: 5 };
		const [robot] = await succeed('robot', 'createExtract', {
			name: unique('Customer'),
			url: page('/products/1'),
			specifyFields: 'fields',
			additionalFields: { startUrl: page('/login') },
			steps: { values: [...LOGIN_STEPS, arrival] },
			fields: { values: [{ name: 'Name', selector: 'h1' }] },
		});
		return String(robot?.id);
	};

	const newRecordedRobot = async (): Promise<string> => {
		const id = await newCustomerRobot();
		const { status } = await sandbox.server.put(`/sdk/robots/${id}`, { workflow: recorded() });
		expect(status).toBe(200);
		return id;
	};

	const runOnUrls = (id: string): INodeParameters => ({
		robotId: locator(id),
		urls: [page('/products/2'), page('/products/3')],
		options: NO_PAUSE,
	});

	it('run on many URLs replaces only the page with the data and keeps the login', async () => {
		const rows = await succeed('run', 'runOnUrls', runOnUrls(await newCustomerRobot()));
		expect(rows.map(({ Name }) => Name)).toEqual(['Oak chair', 'Steel lamp']);
	});

	it.each([{}, { additionalFields: { name: 'A copy for a customer' } }])(
		'a copy with %j replaces only the page with the data and keeps the login',
		async (more) => {
			const url = page('/products/2');
			const robotId = locator(await newCustomerRobot());
			const [copy] = await succeed('robot', 'duplicate', { robotId, url, ...more });
			expect(copy).toMatchObject({ url, ...more.additionalFields });
			const [row] = await succeed('run', 'runAndWait', {
				robotId: locator(String(copy?.id)),
				output: 'rows',
				options: NO_PAUSE,
			});
			expect(row).toEqual({ Name: 'Oak chair' });
		},
	);

	it.each<[string, string, (id: string) => INodeParameters]>([
		['run', 'runOnUrls', runOnUrls],
		['robot', 'duplicate', (id) => ({ robotId: locator(id), url: page('/products/3') })],
	])('%s: %s rejects a robot that reads several pages', async (resource, operation, parameters) => {
		const id = await newRecordedRobot();
		await sandbox.control.clear();
		const { error } = await own.run(resource, operation, parameters(id));
		expect(error?.message).toBe('The robot cannot be copied for another URL');
		expect(error?.description).toContain('opens several pages');
		expect(await sandbox.count(/POST|PUT/)).toBe(0);
	});

	it('an update with another URL is rejected and changes nothing', async () => {
		for (const id of [await newCustomerRobot(), await newRecordedRobot()]) {
			await sandbox.control.clear();
			const updateFields = { url: page('/products/3'), name: unique('Renamed') };
			const { error } = await own.run('robot', 'update', { robotId: locator(id), updateFields });
			expect(error?.message).toBe("'URL' does not apply to this robot");
			expect(error?.description).toContain('Robot: Duplicate');
			expect(await sandbox.count(/PUT/)).toBe(0);
		}
	});

	it('a recorded robot with one page gets another URL', async () => {
		const robotId = locator(await newProductRobot(sandbox));
		const updateFields = { url: page('/products/3') };
		const [robot] = await succeed('robot', 'update', { robotId, updateFields });
		expect(robot).toMatchObject(updateFields);
	});
});
