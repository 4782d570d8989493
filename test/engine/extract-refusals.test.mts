import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { unique } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { extractOn, fields, list, lists, steps, textOf } from './support/extract.mts';

const sandbox = useSandbox({ settings: { selfHostedStepSeconds: 0.02 } });
const page = (path: string) => `${sandbox.siteUrl}${path}`;
const BALANCE = fields({ name: 'Balance', selector: '.balance' });

describe.each(['cloud', 'selfHosted'])('a robot that Maxun rejects, on the server %s', (server) => {
	const { create, robotsNamed } = extractOn(sandbox, server);

	const refusal = async (parameters: INodeParameters) => {
		const name = unique('Refused');
		const { error, items } = await create({ name, url: page('/products'), ...parameters });
		expect(items).toEqual([]);
		expect(await robotsNamed(name)).toBe(0);
		return error;
	};

	const NEW_WINDOW = () =>
		`Open ${page('/products')} in a private window, and copy the selector again`;

	it('mentions the fields and columns whose selectors match nothing, and the nearest match', async () => {
		const columns = {
			values: [
				{ name: 'Price', selector: 'span.cost' },
				{ name: 'Name', selector: '.Name > a' },
			],
		};
		const error = await refusal({
			...fields({ name: 'Heading', selector: 'h9' }),
			...lists(list({ columns })),
		});
		expect(error?.message).toBe(
			"Maxun could not use the selector of 'Heading', 'Products › Price', 'Products › Name'",
		);
		expect(error?.description).toBe(
			[
				"'Heading': 'h9' does not match anything on the page",
				"'Products › Price': 'span.cost' does not match anything in the rows. The nearest match is 'span'",
				`'Products › Name': '.Name > a' does not match anything in the rows. The nearest match is '[class*="Name" i]'`,
				NEW_WINDOW(),
			].join('. '),
		);
	});

	it('waits if Maxun has no free browser to try the selectors', async () => {
		const details = ['Failed to add validation browser to pool'];
		const body = { error: 'Workflow validation failed', details };
		await sandbox.respond(400, 'POST /sdk/robots', { body });
		const given = { name: unique('Busy'), url: page('/products'), ...lists(list()) };
		const { error, items } = await create(given);
		expect(error).toBeUndefined();
		expect(items.flat()).toHaveLength(1);
	});

	it('mentions the list whose rows match nothing, but not its columns', async () => {
		const rowSelector = 'ul.products > li.Product__x1Y2z';
		const error = await refusal(lists(list(), list({ name: 'Others', rowSelector })));
		expect(error?.message).toBe("Maxun could not use the selector of 'Others › Row Selector'");
		expect(error?.description).toBe(
			`'Others › Row Selector': '${rowSelector}' does not match anything on the page. The nearest match is 'ul.products > li[class*="Product" i]'. ${NEW_WINDOW()}`,
		);
	});

	it('mentions many selectors, however long the response is', async () => {
		const columns = Array.from({ length: 9 }, (_, index) => ({
			name: `Column ${index}`,
			selector: `.details-of-the-product .column-with-the-number-${index}`,
		}));
		const error = await refusal(lists(list({ columns: { values: columns } })));
		for (const { name } of columns) expect(error?.description).toContain(`'Products › ${name}'`);
		expect(error?.message).toMatch(/and 4 more$/);
	});

	it('mentions a selector that the browser cannot read', async () => {
		const error = await refusal(fields({ name: 'Heading', selector: 'h1:nothing' }));
		expect(error?.message).toBe("Maxun could not use the selector of 'Heading'");
		expect(error?.description).toContain('Maxun says: Invalid selector');
	});

	it('says what to do if a step reveals the data', async () => {
		const error = await refusal({
			...steps({ action: 'click', selector: 'a.next' }),
			...fields({ name: 'Heading', selector: '.later' }),
		});
		expect(error?.description).toContain(
			"If a step reveals the element, turn on 'Skip Selector Check'",
		);
	});

	it('mentions a page that does not respond', async () => {
		const error = await refusal({ url: 'http://127.0.0.1:9/', ...BALANCE });
		expect(error?.message).toBe('Maxun could not open http://127.0.0.1:9/');
	});

	it('mentions the step whose input is missing, without its text', async () => {
		const error = await refusal({
			url: page('/account'),
			additionalFields: { startUrl: page('/login') },
			...steps({ action: 'type', selector: '#Email', text: 'secret-text' }),
			...BALANCE,
		});
		expect(error?.message).toBe("Maxun could not use the selector of step 1, 'Type Text'");
		expect(error?.description).toContain("'#Email' does not match anything on the page");
		expect(textOf(error)).not.toContain('secret-text');
	});

	it('keeps names intact if a step types a short text', async () => {
		const error = await refusal({
			...steps({ action: 'type', selector: 'h1', text: 'Price' }),
			...lists(list({ columns: { values: [{ name: 'Price', selector: '.cost-Price' }] } })),
		});
		expect(error?.message).toBe("Maxun could not use the selector of 'Products › Price'");
		expect(error?.description).toContain("'.cost-Price' does not match anything in the rows");
	});
});
