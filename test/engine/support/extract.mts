import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { beforeEach, expect } from 'vitest';
import { unique } from '../../helpers/fixtures.mts';
import type { TestSandbox } from '../../helpers/sandbox.mts';
import { operationsOn, succeeded } from './details.mts';

const LOADED = { action: 'waitForLoadState', args: ['networkidle'] };
const element = (selector: string, attribute = 'innerText') => ({
	tag: '',
	isShadow: false,
	selector,
	attribute,
});
const schema = (name: string, fields: object) => ({
	action: 'scrapeSchema',
	actionId: expect.stringMatching(/^text-/),
	name,
	args: [fields],
});

/** The form for the shop's products, and the workflows that the node sends for it. */
export function extractRequests(url: string) {
	const columns = [
		{ name: 'Product', selector: '.name a', returnValue: 'text' },
		{ name: 'Link', selector: '.name a', returnValue: 'link' },
		{ name: 'Price', selector: '.price', returnValue: 'text' },
	];
	const list = {
		name: 'Products',
		rowSelector: 'li.product',
		rowLimit: 20,
		pagination: 'clickNext',
		paginationSelector: 'a.next',
	};
	const parameters = {
		url,
		specifyFields: 'fields',
		fields: { values: [{ name: 'Heading', selector: 'h1', returnValue: 'text' }] },
		lists: { values: [{ ...list, columns: { values: columns } }] },
	};
	const heading = schema('Fields', { Heading: element('h1') });
	const hasClass = (name: string) =>
		`[contains(concat(" ", normalize-space(@class), " "), " ${name} ")]`;
	const rows = `//li${hasClass('product')}`;
	const draft = [
		{
			where: { url },
			what: [
				schema(
					'Checks',
					expect.objectContaining({
						Page: element('body'),
						check0: element('h1'),
						check1: element(rows),
					}),
				),
			],
		},
		{
			where: { url: 'about:blank' },
			what: [{ action: 'goto', args: [url], actionId: expect.stringMatching(/^n8n-/) }, LOADED],
		},
	];
	const config = {
		listSelector: rows,
		entered: 'li.product',
		fields: {
			Product: element('.name a'),
			Link: element('.name a', 'href'),
			Price: element('.price'),
		},
		pagination: { type: 'clickNext', selector: 'a.next' },
		limit: 20,
	};
	const actionId = expect.stringMatching(/^list-/);
	const complete = [
		{
			where: { url },
			what: [
				heading,
				LOADED,
				{ action: 'scrapeList', actionId, name: 'Products', args: [config] },
				LOADED,
			],
		},
		draft[1],
	];
	return { parameters, draft, complete };
}

export const list = (more: INodeParameters = {}) => ({
	name: 'Products',
	rowSelector: 'li.product',
	pagination: 'none',
	columns: {
		values: [
			{ name: 'Product', selector: '.name a', returnValue: 'text' },
			{ name: 'Number', selector: '.name a', returnValue: 'attribute', attribute: 'href' },
		],
	},
	...more,
});
export const lists = (...values: INodeParameters[]) => ({ lists: { values } });
export const fields = (...values: INodeParameters[]) => ({ fields: { values } });
export const steps = (...values: INodeParameters[]) => ({ steps: { values } });

export const QUICK = { delayBeforeStart: 0, timeoutMinutes: 1 };

/** What a user reads. n8n itself adds the node with its parameters to each error. */
export const textOf = (error?: { message: string; description?: string | null }) =>
	`${error?.message} ${error?.description}`;

export function extractOn(sandbox: TestSandbox, server: string) {
	beforeEach(
		async () =>
			await sandbox.control.settings({
				selfHostedForm: server === 'selfHosted' ? 'observed' : 'documented',
				selfHostedSdk: 'newer',
				hostedSdk: true,
			}),
	);

	const operations = operationsOn(sandbox);
	const run = async (
		resource: string,
		operation: string,
		parameters: INodeParameters,
		given: Parameters<typeof operations.run>[3] = {},
	) => {
		const credentials = { ...sandbox.credentials(), ...sandbox.serverCredentials() };
		const form = { ...parameters, server };
		return await operations.run(resource, operation, form, { ...given, credentials });
	};

	const succeed = async (...given: Parameters<typeof run>): Promise<IDataObject[]> =>
		succeeded(await run(...given)).json;

	const rows = async (parameters: INodeParameters, options: INodeParameters = {}) =>
		await succeed('web', 'extractRows', {
			specifyFields: 'fields',
			...parameters,
			options: { ...QUICK, ...options },
		});
	const create = async (parameters: INodeParameters) =>
		await run('robot', 'createExtract', {
			name: unique('Extract'),
			specifyFields: 'fields',
			...parameters,
		});
	const created = async (parameters: INodeParameters): Promise<IDataObject> =>
		succeeded(await create(parameters)).json[0] ?? {};
	const robotsNamed = async (name: string) => {
		const { list: robots } = await sandbox.owner.get('/robots?limit=100');
		return robots.filter((robot) => robot.name === name).length;
	};
	return { run, rows, succeed, create, created, robotsNamed };
}
