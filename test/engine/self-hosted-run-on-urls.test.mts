import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import type { ExecuteOptions } from '../helpers/engine/index.mts';
import { newProductRobot, productUrl } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { describeForm, NO_PAUSE } from './support/self-hosted.mts';

const sandbox = useSandbox();

/** The names of the copies that remain. */
async function copiesLeft(): Promise<unknown[]> {
	const { list } = await sandbox.owner.get('/robots?q=n8n&limit=100');
	return list.map(({ name }) => name);
}

describeForm(sandbox, 'observed', (own) => {
	const page = (id: number) => productUrl(sandbox, id);

	async function run(parameters: INodeParameters, options: Partial<ExecuteOptions> = {}) {
		const robotId = await newProductRobot(sandbox);
		const { items, error, hints } = await own.run(
			'run',
			'runOnUrls',
			{
				robotId: locator(robotId),
				...parameters,
				options: { ...NO_PAUSE, ...Object(parameters.options) },
			},
			options,
		);
		const [rows = [], failed = []] = items;
		return { robotId, rows, json: rows.map((item) => item.json), failed, error, hints };
	}

	it('each page has its own copy, one after another, and the copy is deleted', async () => {
		const urls = [3, 1].map(page);
		const { robotId, json, error } = await run({ urls: urls.join('\n') });
		expect(error).toBeUndefined();
		expect(json.map(({ pageUrl }) => pageUrl)).toEqual(urls);
		expect(new Set(json.map(({ Name }) => Name)).size).toBe(2);
		expect(await copiesLeft()).toEqual([]);
		const changes = (await sandbox.sent()).filter(({ method }) => method !== 'GET');
		const copies = changes
			.filter(({ method }) => method === 'PUT')
			.map(({ path }) => String(/sdk\/robots\/(.+)/.exec(path)?.[1]));
		expect(new Set(copies).size).toBe(2);
		const ofPage = (url: string, copy: string) => [
			{ method: 'POST', path: `/robots/${robotId}/duplicate`, body: { targetUrl: url } },
			{
				method: 'PUT',
				path: `/sdk/robots/${copy}`,
				body: { meta: { name: expect.stringMatching(/^n8n urls until \S+Z \w{10}$/) } },
			},
			{ method: 'POST', path: `/robots/${copy}/runs` },
			{ method: 'DELETE', path: `/sdk/robots/${copy}` },
		];
		expect(changes).toMatchObject(urls.flatMap((url, index) => ofPage(url, copies[index] ?? '')));
	}, 60_000);

	it('a server without the routes makes no copy, and the error mentions the version that has them', async () => {
		await sandbox.control.settings({ selfHostedSdk: 'none' });
		const { error } = await run({ urls: page(1) });
		expect(error?.message).toBe('This server version does not support this operation');
		expect(error?.description).toContain('version 0.0.43 or later');
		expect(await sandbox.count(/^(POST|PUT)/)).toBe(0);
	});
});
