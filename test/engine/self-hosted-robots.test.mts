import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { locator } from '../helpers/parameters.mts';
import { newRobot, unique } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { describeForm } from './support/self-hosted.mts';

const sandbox = useSandbox();

const MODEL_KEY = 'sk-model-key-that-nobody-may-see';

const withModel = () => ({
	maxunSelfHostedApi: {
		...sandbox.serverCredentials().maxunSelfHostedApi,
		llmProvider: 'openai',
		llmModel: 'gpt-test',
		llmApiKey: MODEL_KEY,
		llmBaseUrl: '',
	},
});

describeForm(sandbox, 'observed', (own) => {
	const { succeed } = own;
	const one = async (...given: Parameters<typeof own.run>): Promise<IDataObject> => {
		const [item = {}, ...others] = await succeed(...given);
		expect(others).toEqual([]);
		return item;
	};
	const lastBody = async () => (await sandbox.sent()).at(-1)?.body;
	const stored = async (id: string) => {
		const { body } = await sandbox.server.get(`/sdk/robots/${id}`);
		return Object(body).data;
	};

	describe('robots that are created', () => {
		it("a crawl robot gets Maxun Cloud's defaults", async () => {
			const additionalFields = { name: unique('Crawl') };
			await succeed('robot', 'createCrawl', { url: `${sandbox.siteUrl}/`, additionalFields });
			expect(await lastBody()).toMatchObject({
				crawlConfig: {
					mode: 'domain',
					limit: 50,
					maxDepth: 3,
					useSitemap: true,
					followLinks: true,
					respectRobots: true,
				},
			});
		});

		it('a robot without a name gets an unused name', async () => {
			const parameters = { url: `${sandbox.siteUrl}/articles`, formats: ['markdown'] };
			const names = [
				await one('robot', 'createScrape', parameters),
				await one('robot', 'createScrape', parameters),
			].map(({ name }) => name);
			const { hostname } = new URL(sandbox.siteUrl);
			expect(names).toEqual([`Scrape Robot - ${hostname}`, `Scrape Robot - ${hostname} (2)`]);
		});

		it('an existing robot with the same settings is never returned as a new robot', async () => {
			const parameters = {
				url: `${sandbox.siteUrl}/articles`,
				formats: ['markdown'],
				additionalFields: { name: unique('Twice') },
			};
			const { id } = await one('robot', 'createScrape', parameters);
			const same = await own.run('robot', 'createScrape', parameters);
			expect(same.error?.message).toMatch(/already exists$/);
			expect(same.error?.description).toContain(String(id));
			const other = await own.run('robot', 'createScrape', {
				...parameters,
				url: `${sandbox.siteUrl}/products`,
			});
			expect(other.error).toMatchObject({ httpCode: '409' });
			expect(await stored(String(id))).toBeDefined();
		});

		it('an agent is built with the language model in the credential', async () => {
			const additionalFields = { url: `${sandbox.siteUrl}/products`, name: unique('Agent') };
			const parameters = { prompt: 'Get the names', additionalFields };
			await one('agent', 'create', parameters, { credentials: withModel() });
			const model = { llmProvider: 'openai', llmModel: 'gpt-test', llmApiKey: MODEL_KEY };
			const [sent] = await sandbox.sent();
			expect(sent).toMatchObject({ path: '/sdk/extract/llm', body: model });
			expect(sent?.body).not.toHaveProperty('llmBaseUrl');
		});
	});

	describe('keys of language models', () => {
		it('are sent only with robots that use a model, and never returned', async () => {
			const url = `${sandbox.siteUrl}/articles`;
			const create = async (more: INodeParameters, formats: string[] = ['markdown']) =>
				await one(
					'robot',
					'createScrape',
					{ url, formats, additionalFields: { name: unique('Model'), ...more } },
					{ credentials: withModel() },
				);
			await create({});
			expect(JSON.stringify(await lastBody())).not.toContain(MODEL_KEY);
			for (const [more, formats] of [
				[{ smartQueries: 'Which?' }, ['markdown']],
				[{}, ['summary']],
			] as const) {
				const robot = await create(more, [...formats]);
				expect(await lastBody()).toMatchObject({
					meta: { promptLlmProvider: 'openai', promptLlmApiKey: MODEL_KEY },
				});
				const robotId = locator(String(robot.id));
				const shown = [
					robot,
					await one('robot', 'get', { robotId }),
					await succeed('robot', 'getAll', { returnAll: true }),
					await one('robot', 'update', { robotId, updateFields: { formats: ['text'] } }),
				];
				expect(JSON.stringify(await stored(String(robot.id)))).toContain(MODEL_KEY);
				expect(JSON.stringify(shown)).not.toContain(MODEL_KEY);
			}
		});

		it('are never in an error, which contains everything that the server says', async () => {
			const details = ['No results', `Incorrect key: ${MODEL_KEY}`];
			await sandbox.respond(400, 'POST /sdk/extract/llm', { body: { error: 'Failed', details } });
			const additionalFields = { name: unique('Agent') };
			const parameters = { prompt: 'x', additionalFields };
			const { error } = await own.run('agent', 'create', parameters, { credentials: withModel() });
			expect(error?.description).toContain('Failed: No results: Incorrect key');
			expect(JSON.stringify(error) + String(error?.stack)).not.toContain(MODEL_KEY);
		});
	});

	describe('robots that are changed', () => {
		it("a crawl's settings are merged into its workflow", async () => {
			const { id } = await one('robot', 'createCrawl', {
				url: `${sandbox.siteUrl}/`,
				crawlConfig: { limit: 3 },
				additionalFields: { name: unique('Crawl') },
			});
			const robotId = locator(String(id));
			const crawlConfig = { maxDepth: 1, outputFormats: ['html'] };
			const robot = await one('robot', 'update', { robotId, updateFields: { crawlConfig } });
			expect(robot).toMatchObject({ crawlConfig: { limit: 3, maxDepth: 1 }, formats: ['html'] });
			expect(await lastBody()).toMatchObject({ meta: { formats: ['html'] } });
		});

		it.each([
			['crawlConfig', 'Crawl Settings'],
			['searchConfig', 'Search Settings'],
		])('an update of a scrape robot rejects %s', async (name, shown) => {
			const robotId = locator(await newRobot(sandbox));
			const updateFields = { [name]: { limit: 1 } };
			const { error } = await own.run('robot', 'update', { robotId, updateFields });
			expect(error?.message).toBe(`'${shown}' does not apply to this robot`);
			expect(await sandbox.count(/PUT/)).toBe(0);
		});

		it("a robot never gets another robot's name", async () => {
			const name = unique('Taken');
			await newRobot(sandbox, { name });
			const robotId = locator(await newRobot(sandbox));
			const url = `${sandbox.siteUrl}/products`;
			for (const [operation, more] of [
				['update', { updateFields: { name } }],
				['duplicate', { url, additionalFields: { name } }],
				['createSearch', { query: 'desk', additionalFields: { name } }],
			] as const) {
				const { error } = await own.run('robot', operation, { robotId, ...more });
				expect(error?.message).toBe(`A robot named '${name}' already exists`);
			}
			expect(await sandbox.count(/PUT|POST/)).toBe(0);
		});

		it.each(['reset', 'truncate'] as const)(
			'a copy whose response is lost is found and gets its name (%s)',
			async (kind) => {
				const robotId = locator(await newRobot(sandbox));
				const url = `${sandbox.siteUrl}/articles/oiling-a-desk`;
				await succeed('robot', 'duplicate', { robotId, url });
				await sandbox.control.fault({ method: 'POST', path: 'duplicate$', kind, before: false });
				const name = unique('Found');
				const copy = await one('robot', 'duplicate', { robotId, url, additionalFields: { name } });
				expect(copy).toMatchObject({ name, url });
				expect(await sandbox.count(/POST .*duplicate$/)).toBe(2);
			},
		);

		it('the error says which copy may remain if the response is lost and the copy is not found', async () => {
			await sandbox.respond(502, 'POST duplicate$', { body: '<html>Bad Gateway</html>' });
			const robotId = locator(await newRobot(sandbox));
			const given = { urls: `${sandbox.siteUrl}/articles`, robotId };
			const { error } = await own.run('run', 'runOnUrls', given);
			expect(error?.description).toMatch(
				/A copy whose name ends with ' \(articles\)' may remain in Maxun$/,
			);
		});

		it('the error mentions a copy that can neither get a name nor be deleted', async () => {
			const robotId = locator(await newRobot(sandbox));
			const refusal = { body: { error: 'No' } };
			await sandbox.respond(400, 'PUT ^/sdk/robots/', refusal);
			await sandbox.respond(400, 'DELETE ^/sdk/robots/', refusal);
			const url = `${sandbox.siteUrl}/articles`;
			const additionalFields = { name: unique('Unnamed') };
			const { error } = await own.run('robot', 'duplicate', { robotId, url, additionalFields });
			expect(error?.description).toMatch(
				/The copy remains in Maxun under another name\. Its ID is [0-9a-f-]{36}\. Delete it in Maxun, because the node could not: /,
			);
		});
	});

	describe('robots that are listed and deleted', () => {
		it('filters work as on Maxun Cloud', async () => {
			const name = unique('Filtered');
			await newRobot(sandbox, { name });
			await newRobot(sandbox, { name: unique('Other') });
			const names = async (filters: INodeParameters) =>
				(await succeed('robot', 'getAll', { returnAll: true, filters })).map((robot) => robot.name);
			expect(await names({ q: name.toUpperCase() })).toEqual([name]);
			expect(await names({ q: name, type: 'scrape' })).toEqual([name]);
			expect(await names({ q: name, type: 'crawl' })).toEqual([]);
			expect(await names({ q: name, scheduled: true })).toEqual([]);
			expect(await names({ q: name, scheduled: false })).toEqual([name]);
		});

		it('a robot with an active run is not deleted', async () => {
			const id = await newRobot(sandbox);
			await sandbox.control.runs({ robotId: id, run: { status: 'running', finishedAt: null } });
			const robotId = locator(id);
			const refused = await own.run('robot', 'delete', { robotId });
			expect(refused.error?.message).toBe('Maxun cannot delete this yet');
			expect(await sandbox.lines()).toEqual([`GET /robots/${id}/runs`]);
			// Runs that can never be read don't keep it.
			await sandbox.respond(200, `GET ${id}/runs`, { body: { runs: { items: [{ a: 1 }] } } });
			await own.succeed('robot', 'delete', { robotId });
		});

		it('schedules are listed, soonest first', async () => {
			const daily = { runEvery: 1, runEveryUnit: 'DAYS', timezone: 'UTC' };
			const yearly = { runEvery: 11, runEveryUnit: 'MONTHS', dayOfMonth: 28, timezone: 'UTC' };
			const late = await newRobot(sandbox);
			const soon = await newRobot(sandbox);
			await one('schedule', 'upsert', { robotId: locator(late), ...yearly });
			await one('schedule', 'upsert', { robotId: locator(soon), ...daily });
			const ids = (await succeed('schedule', 'getAll', { returnAll: true })).map(({ id }) => id);
			expect(ids.indexOf(soon)).toBeLessThan(ids.indexOf(late));
			expect(ids.indexOf(soon)).toBeGreaterThanOrEqual(0);
		});
	});

	describe('webhooks', () => {
		it('a robot accepts at most ten webhooks, and each URL once', async () => {
			const id = await newRobot(sandbox);
			const urlOf = (number: number) => `https://example.com/${number}`;
			const webhooks = Array.from({ length: 10 }, (_, index) => ({
				id: `${index}`,
				url: urlOf(index),
				events: ['run_completed'],
			}));
			const create = async (number: number, existing: object[]) => {
				await sandbox.server.put(`/sdk/robots/${id}`, { webhooks: existing });
				const parameters = { robotId: locator(id), url: urlOf(number) };
				return (await own.run('webhook', 'create', parameters)).error?.message;
			};
			expect(await create(10, webhooks)).toBe('The robot already has 10 webhooks');
			const nine = webhooks.slice(1);
			expect(await create(9, nine)).toMatch(/already has a webhook with this URL/);
			expect(await create(0, nine)).toBeUndefined();
		});

		describe('the server writes back the list from before a delivery', () => {
			const theirs = {
				id: 'theirs',
				url: 'http://127.0.0.1:9/theirs',
				events: ['run_completed'],
				active: true,
				retryAttempts: 1,
			};
			const mine = { ...theirs, id: 'mine', url: 'http://127.0.0.1:9/mine', active: false };
			const changes: Array<[string, INodeParameters, string[]]> = [
				['create', { url: 'http://127.0.0.1:9/new' }, ['mine', 'new', 'theirs']],
				['update', { updateFields: { url: 'http://127.0.0.1:9/moved' } }, ['moved', 'theirs']],
				['delete', {}, ['theirs']],
			];

			it.each(changes)(
				'%s makes its change again and keeps other webhooks',
				// On a busy machine, the change may come after the server has written back.
				{ retry: 2 },
				async (...given) => {
					const [operation, parameters, left] = given;
					const id = await newRobot(sandbox);
					await sandbox.server.put(`/sdk/robots/${id}`, { webhooks: [theirs, mine] });
					await sandbox.control.settings({ selfHostedWriteBackSeconds: 0.95 });
					await sandbox.server.run(id);
					const robotId = locator(id);
					await one('webhook', operation, { robotId, webhookId: locator('mine'), ...parameters });
					expect(await sandbox.count(/^PUT /)).toBe(2);
					const urls = (await sandbox.server.webhooks(id)).map(({ url }) => String(url));
					expect(urls.sort()).toEqual(left.map((name) => `http://127.0.0.1:9/${name}`));
				},
			);
		});
	});
});
