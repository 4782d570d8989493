import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { LOGIN_STEPS, robotsLeft } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { extractOn, QUICK, steps, textOf } from './support/extract.mts';

const sandbox = useSandbox({ settings: { runSeconds: 0.05, selfHostedStepSeconds: 0.02 } });
const page = (path: string) => `${sandbox.siteUrl}${path}`;

const column = (name: string, example: string, more: INodeParameters = {}) => ({
	...{ name, example, ...more },
});
const PRODUCT = column('Product', 'Walnut desk');
const WHAT = column('What', 'Oak chair');
const PRICE = column('Price', '$249.00', { type: 'number' });
const examples = (...values: INodeParameters[]) => ({
	specifyFields: 'example',
	examples: { values },
});

describe.each(['cloud', 'selfHosted'])('rows by example on the server %s', (server) => {
	const { run, rows, created, succeed } = extractOn(sandbox, server);
	const extract = async (path: string, ...values: INodeParameters[]) => {
		const given = { url: page(path), ...examples(...values), options: QUICK };
		const { json, hints, error } = await run('web', 'extractRows', given);
		expect(await robotsLeft(sandbox)).toEqual([]);
		return { error: error && textOf(error), hints, found: json };
	};

	it('returns the rows of all pages, with links and types, and says what it found', async () => {
		const { json, hints, error } = await run('web', 'extractRows', {
			url: page('/products'),
			...examples(PRODUCT, column('Link', '', { valueToGet: 'link', type: 'link' }), PRICE),
			pagination: 'clickNext',
			buttonText: 'Next',
			options: QUICK,
		});
		expect(error).toBeUndefined();
		expect(json).toHaveLength(24);
		const first = { Product: 'Walnut desk', Link: page('/products/1'), Price: 249 };
		expect(json[0]).toEqual(first);
		expect(hints).toEqual([
			`Found by example: 8 rows. First row: Product 'Walnut desk', Link '${page('/products/1')}', Price '$249.00'`,
		]);
		expect(await robotsLeft(sandbox)).toEqual([]);
	});

	it('a robot keeps the selectors, so its runs read the page only once', async () => {
		const { id } = await created({ url: page('/products'), ...examples(PRODUCT, PRICE) });
		const robotId = locator(String(id));
		const [robot] = await succeed('robot', 'get', { robotId });
		expect(robot).toMatchObject({
			lists: [
				{
					rowSelector: 'li.product',
					columns: expect.arrayContaining([
						expect.objectContaining({ name: 'Product', selector: 'h2.name' }),
						expect.objectContaining({ name: 'Price', selector: 'span.price' }),
					]),
				},
			],
		});
		const options = { options: { ...QUICK, output: 'rows' } };
		const found = await succeed('run', 'runAndWait', { robotId, ...options });
		expect(found).toHaveLength(8);
	});

	it('the examples may be behind a login', async () => {
		const found = await rows({
			url: page('/account'),
			...examples(WHAT, column('Total', '$89.50'), column('Balance', '$1,249.00')),
			additionalFields: { startUrl: page('/login') },
			...steps(...LOGIN_STEPS),
		});
		expect(found).toEqual([
			{ What: 'Walnut desk', Total: '$249.00', Balance: '$1,249.00' },
			{ What: 'Oak chair', Total: '$89.50', Balance: '$1,249.00' },
		]);
	});

	it('values that do not repeat become one row', async () => {
		const { found, hints } = await extract('/products/1', PRODUCT, PRICE);
		expect(found).toEqual([{ Product: 'Walnut desk', Price: 249 }]);
		expect(hints).toEqual([expect.stringMatching(/^The examples do not repeat together/)]);
	});

	// Both servers do this in the same way, so one of them is enough.
	describe.runIf(server === 'selfHosted')('an example', () => {
		it.each<[string, INodeParameters[], RegExp]>([
			[
				'a value that is not on the page',
				[column('Product', 'Walnutt desk'), PRICE],
				/^The page does not contain the example of 'Product' \('Walnutt desk'\): .*\/products The most similar texts for 'Product' are 'Walnut desk'/,
			],
			[
				'values of two rows',
				[PRODUCT, column('Price', '$89.50')],
				/^The example of 'Price' is not in the row of the other examples Copy all values/,
			],
			['no value', [column('Product', '')], /^'Example' of column 1 is required/],
		])('%s causes an error', async (_, values, expected) => {
			const { error } = await extract('/products', ...values);
			expect(error).toMatch(expected);
		});
	});
});
