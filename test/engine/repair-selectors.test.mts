import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { robotsLeft } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { extractOn, lists, QUICK } from './support/extract.mts';

const sandbox = useSandbox({ settings: { runSeconds: 0.05, selfHostedStepSeconds: 0.02 } });

const DESKS = ['Walnut', 'Oak', 'Pine', 'Ash', 'Beech'].map((wood, at) => ({
	name: `${wood} desk`,
	price: `$${149 + at * 25}.00`,
}));
const pageOf = (rows: string[]) =>
	`<html><body><h1>Desks</h1><ul>${rows.join('')}</ul></body></html>`;
const OLD = pageOf(
	DESKS.map(
		({ name, price }) =>
			`<li class="product"><h2 class="name">${name}</h2><b class="price">${price}</b></li>`,
	),
);
const NEW = pageOf(
	DESKS.map(
		({ name, price }) =>
			`<li class="product"><h2 class="name">${name}</h2><div><span class="amount">${price}</span></div></li>`,
	),
);
const SOLD_OUT = pageOf(
	DESKS.map(({ name }) => `<li class="product"><h2 class="name">${name}</h2><i>Sold out</i></li>`),
);

let html = OLD;
const site = createServer((_, response) =>
	response.setHeader('content-type', 'text/html').end(html),
);
const url = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;

beforeAll(async () => await once(site.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => site.close());

describe.each(['cloud', 'selfHosted'])('Repair Selectors on the server %s', (server) => {
	beforeEach(async () => {
		html = OLD;
		await sandbox.control.settings({
			selfHostedForm: server === 'selfHosted' ? 'observed' : 'documented',
			selfHostedSdk: 'newer',
			hostedSdk: true,
		});
	});
	const { run, created, succeed } = extractOn(sandbox, server);

	/** A robot with a good run. */
	const robot = async () => {
		const columns = {
			values: [
				{ name: 'Name', selector: '.name' },
				{ name: 'Price', selector: '.price' },
			],
		};
		const given = { rowSelector: 'li.product', name: 'Desks', pagination: 'none', columns };
		const { id } = await created({ url: url(), ...lists(given) });
		const robotId = locator(String(id));
		await succeed('run', 'runAndWait', { robotId, options: QUICK });
		return robotId;
	};
	const runAgain = async (robotId: object) => {
		const options = { ...QUICK, repairSelectors: true };
		const { items, hints, error } = await run('run', 'runAndWait', { robotId, options } as never);
		expect(error).toBeUndefined();
		expect(await robotsLeft(sandbox)).toEqual([]);
		return {
			found: (items[0] ?? []).map(({ json }) => json),
			hints: hints.map(({ message }) => message).join('\n'),
		};
	};

	it('a lost column is found again, once, and the robot keeps it', async () => {
		const robotId = await robot();
		html = NEW;
		const { found, hints } = await runAgain(robotId);
		expect(found).toMatchObject(DESKS.map(({ name, price }) => ({ Name: name, Price: price })));
		expect(hints).toMatch(
			/The page has changed\. 'Price' is now read with `[^`]+` \(before: `\.price`\)/,
		);
		const again = await runAgain(robotId);
		expect(again.found).toHaveLength(5);
		expect(again.hints).not.toContain('The page has changed');
	});

	it('values that are nowhere on the page change nothing', async () => {
		const robotId = await robot();
		const [before] = await succeed('robot', 'get', { robotId });
		html = SOLD_OUT;
		const { found, hints } = await runAgain(robotId);
		expect(found).toHaveLength(5);
		expect(hints).toContain('was not repaired');
		const [after] = await succeed('robot', 'get', { robotId });
		expect(after?.lists).toEqual(before?.lists);
	});

	it('pages of Run on Many URLs share one repair', async () => {
		const robotId = await robot();
		html = NEW;
		const given = { robotId, urls: `${url()}1\n${url()}2`, output: 'rows' };
		const options = { ...QUICK, repairSelectors: true };
		const { items, hints, error } = await run('run', 'runOnUrls', { ...given, options });
		expect(error).toBeUndefined();
		const prices = (items[0] ?? []).map(({ json }) => json.Price);
		expect(prices).toEqual([...DESKS, ...DESKS].map(({ price }) => price));
		const messages = hints.map(({ message }) => message);
		expect(messages.filter((message) => message.includes('The page has changed'))).toHaveLength(1);
		expect(await robotsLeft(sandbox)).toEqual([]);
	});
});
