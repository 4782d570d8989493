import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { newProductRobot, productUrl, removeTemporary } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useOperations } from './support/details.mts';

const MINUTE = 60_000;

const { sandbox, succeed } = useOperations({ settings: { runSeconds: 0.05 } });
/** The service's clock. n8n's clock differs from it. */
const serverTime = Date.now.bind(Date);
/** Other files in this process have already searched. */
let minutesPassed = 7 * 24 * 60;
beforeEach(() => {
	// Each test must search, although an earlier test has already searched.
	minutesPassed += 10;
	vi.spyOn(Date, 'now').mockImplementation(() => serverTime() + minutesPassed * MINUTE);
});
afterEach(async () => {
	vi.restoreAllMocks();
	await removeTemporary(sandbox);
});

const namesLeft = async () => {
	const { list } = await sandbox.owner.get('/robots?q=n8n&limit=100');
	return list.map(({ name }) => String(name)).sort();
};
const searches = async () => await sandbox.count(/^GET \/robots\?q=n8n&/);

async function runOnce(parameters = {}) {
	const robotId = locator(await newProductRobot(sandbox));
	const given = { robotId, urls: productUrl(sandbox, 1), ...parameters };
	return await succeed('run', 'runOnUrls', given);
}

/** Runs a robot on a page. @returns the name of its copy */
async function run(options = {}): Promise<string> {
	const before = (await sandbox.sent()).length;
	await runOnce({ options });
	const [copy] = (await sandbox.sent())
		.slice(before)
		.filter(({ path }) => path.endsWith('/duplicate'));
	return String(Object(copy?.body).name);
}

async function create(name: string): Promise<string> {
	const fields = { url: productUrl(sandbox, 2), name, formats: ['text'] };
	return String((await sandbox.owner.post('/robots/scrape', fields)).data.id);
}

/** The name of a temporary robot that expires in this many minutes. */
const nameOf = (minutes: number, random = 'Random') => {
	const time = new Date(serverTime() + minutes * MINUTE).toISOString().slice(0, 16);
	return `n8n urls until ${time}Z ${random}`;
};

describe('a temporary robot', () => {
	it.each([0, -90])(
		'has its expiry time in its name: a day after the latest end of its execution, by the later clock (%i)',
		async (days) => {
			const passed = minutesPassed;
			onTestFinished(() => void (minutesPassed = passed));
			if (days < 0) minutesPassed = days * 24 * 60;
			const [, time = ''] =
				/^n8n urls until (\S+Z) \w{10}$/.exec(await run({ timeoutMinutes: 120 })) ?? [];
			const latest = Math.max(Date.now(), serverTime());
			const hours = (Date.parse(time) - latest) / (60 * MINUTE);
			// Each of the five attempts may take two hours, and building an agent may take as long as an attempt.
			expect(hours).toBeGreaterThan(35.8);
			expect(hours).toBeLessThan(36.1);
		},
	);

	it.each(["n8n's", "the server's"])('is kept until it has expired by %s clock', async (which) => {
		const name = nameOf(which === "n8n's" ? -5 : 5);
		await create(name);
		const passed = minutesPassed;
		if (which === "n8n's") minutesPassed = -100 * 24 * 60;
		else {
			const date = new Date(Date.now() + 365 * 24 * 60 * MINUTE).toUTCString();
			await sandbox.respond(502, 'GET ^/', { headers: { date }, times: 1 });
		}
		await run();
		minutesPassed = passed;
		expect(await namesLeft()).toEqual([name]);
	});

	it('is deleted after that time, by the next execution that creates a robot', async () => {
		const later = nameOf(5);
		await create(later);
		for (const minutes of [-5, -5000]) await create(nameOf(minutes));
		await run();
		expect(await namesLeft()).toEqual([later]);
	});

	it('is deleted as an agent if it is an agent', async () => {
		const name = nameOf(-5);
		const body = { prompt: 'List the products', url: productUrl(sandbox, 1), name };
		const { data } = await sandbox.owner.post('/agents', body);
		await run();
		expect(await namesLeft()).toEqual([]);
		expect(await sandbox.lines()).toContain(`DELETE /agents/${String(data.id)}`);
	});

	it('is kept while it has an active run', async () => {
		const name = nameOf(-5);
		await sandbox.control.settings({ runSeconds: 600 });
		await sandbox.owner.post(`/robots/${await create(name)}/runs`, {});
		await sandbox.control.settings({ runSeconds: 0.05 });
		await run();
		expect(await namesLeft()).toEqual([name]);
		expect(await sandbox.owner.activeRuns()).toHaveLength(1);
		expect(await sandbox.count(/cancel$/)).toBe(0);
	});

	it('is kept if the key may not delete it, and the node tries only once', async () => {
		const names = [nameOf(-5, 'a'), nameOf(-5, 'b')];
		for (const name of names) await create(name);
		await sandbox.respond(403, 'DELETE ^/robots/', { times: 3 });
		const { hints } = await runOnce({ generalOptions: { concurrency: 1 } });
		// One request is for the expired robots, and the other for the new robot.
		expect(await sandbox.count(/^DELETE /)).toBe(2);
		expect(hints).toEqual([expect.stringMatching(/^Temporary robots remain .* an admin's key/)]);
	});
});

it('robots that the user keeps or has named are not deleted', async () => {
	const names = ['n8n scrape Aid8sTjEd2', nameOf(-5).replace('n8n', 'My n8n'), 'n8n until now'];
	for (const name of names) await create(name);
	await run();
	expect(await namesLeft()).toEqual([...names].sort());
});

describe('the search', () => {
	it('happens at most once every ten minutes', async () => {
		await run();
		expect(await searches()).toBe(1);
		await run();
		expect(await searches()).toBe(1);
		minutesPassed += 10;
		await run();
		expect(await searches()).toBe(2);
	});

	it('is not retried if it fails, because an item is waiting for it', async () => {
		await sandbox.respond(503, 'GET ^/robots$', { times: 3 });
		await run();
		expect(await searches()).toBe(1);
	});
});
