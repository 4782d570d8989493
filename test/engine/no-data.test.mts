import type { INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import { execute } from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { endedRun, Poller } from './support/polling.mts';
import { CALM, NO_PAUSE } from './support/self-hosted.mts';
import { runIdsOf, Triggers } from './support/triggers.mts';

const sandbox = useSandbox({ settings: { slots: 5, runSeconds: 0.05 } });
const triggers = new Triggers(sandbox);

/** A page that nobody can open. A self-hosted server reports success for it. */
const CLOSED = 'http://127.0.0.1:1/closed';

describe('an operation whose run has no data', () => {
	beforeEach(async () => await sandbox.control.settings({ ...CALM, selfHostedForm: 'observed' }));

	const run = async (operation: [string, string], parameters: INodeParameters, node = {}) => {
		const [resource, value] = operation;
		const options = { ...NO_PAUSE, ...Object(parameters.options) };
		const { items, error, hints } = await execute({
			parameters: maxun(resource, value, { server: 'selfHosted', ...parameters, options }),
			credentials: sandbox.serverCredentials(),
			node,
		});
		return {
			json: items.map((output) => output.map((item) => item.json)),
			error,
			hints: hints.map(({ message }) => message),
		};
	};
	const scrape = async (ifNoData: string, node = {}) =>
		await run(
			['web', 'scrape'],
			{ url: CLOSED, formats: ['markdown'], options: { ifNoData } },
			node,
		);
	const HINT = `1 page returned no data: ${CLOSED}. Maxun may not be able to open it`;

	it('returns the item by default, with a hint', async () => {
		const { json, hints } = await scrape('item');
		expect(json).toEqual([[{ url: CLOSED, hasData: false }]]);
		expect(hints).toEqual([HINT]);
	});

	it('Rows without data have one item, too', async () => {
		const robotId = await newRobot(sandbox, { url: CLOSED });
		const { json } = await run(['run', 'runAndWait'], { robotId: locator(robotId) });
		expect(json).toEqual([[{ id: expect.any(String), robotId, hasData: false }]]);
		const crawled = await run(['web', 'crawl'], { url: CLOSED, crawlConfig: {} });
		expect(crawled.json).toEqual([[{ hasData: false }]]);
	});

	it('can return nothing, with a hint', async () => {
		const { json, error, hints } = await scrape('nothing');
		expect([json, error]).toEqual([[[]], undefined]);
		expect(hints).toEqual([HINT]);
	});

	it('can fail, and still deletes its temporary robot', async () => {
		const before = await sandbox.count(/^DELETE/);
		const { error } = await scrape('error');
		expect(error?.message).toMatch(/^Run \S+ on http:\/\/127\.0\.0\.1:1\/closed captured no data$/);
		expect(error?.description).toContain("change 'If No Data'");
		expect(await sandbox.count(/^DELETE/)).toBe(before + 1);
	});

	it('another attempt starts another run', async () => {
		const { error } = await scrape('error', {
			retryOnFail: true,
			maxTries: 2,
			waitBetweenTries: 0,
		});
		expect(error?.message).toMatch(/captured no data$/);
		expect(await sandbox.count(/^POST .*\/runs$/)).toBe(2);
	});

	it('Run and Wait says which robot it is', async () => {
		const name = 'Closed page';
		const robotId = locator(await newRobot(sandbox, { name, url: CLOSED }));
		const { error } = await run(['run', 'runAndWait'], {
			robotId,
			options: { ifNoData: 'error' },
		});
		expect(error?.message).toMatch(/^Run \S+ of robot 'Closed page' captured no data$/);
		const nothing = await run(['run', 'runAndWait'], { robotId, options: { ifNoData: 'nothing' } });
		expect(nothing.json).toEqual([[]]);
		expect(nothing.hints).toEqual([`A run of '${name}' captured no data`]);
	});

	it('Run on Many URLs leaves out the page', async () => {
		const robotId = locator(await newRobot(sandbox));
		const open = `${sandbox.siteUrl}/articles`;
		const { json, hints } = await run(['run', 'runOnUrls'], {
			robotId,
			urls: `${CLOSED}\n${open}`,
			options: { ifNoData: 'nothing' },
		});
		expect(json[0]?.map(({ pageUrl }) => pageUrl)).toEqual([open]);
		expect(hints).toEqual([HINT]);
	});

	it('an unknown value is an error before anything is sent', async () => {
		const { error } = await scrape('fail');
		expect(error?.message).toBe("'If No Data' must be one of nothing, item, error");
		expect(await sandbox.lines()).toEqual([]);
	});
});

const EMPTY = { data: { crawlData: [{ url: CLOSED, error: 'net::ERR' }] } };
const options = (ifNoData: string) => ({ options: { ifNoData } });

describe('the polling trigger', () => {
	/** The runs that a poll emits, after one run with data and one without. */
	async function emitted(ifNoData: string) {
		const robotId = await newRobot(sandbox);
		const poller = new Poller(sandbox, { robotIds: [robotId], ...options(ifNoData) });
		await poller.emitted();
		const empty = await endedRun(sandbox, robotId, 1, EMPTY);
		const full = await endedRun(sandbox, robotId, 2, { data: { markdown: '# A' } });
		const errors: string[] = [];
		const onError = ({ message }: Error) => void errors.push(message);
		const ids = await poller.emitted({}, { onError });
		expect(await poller.emitted({}, { onError })).toEqual([]);
		return { ids, empty, full, errors };
	}

	it('starts for a run without data by default', async () => {
		const { ids, empty, full } = await emitted('item');
		expect(ids).toEqual([empty, full]);
	});

	it('can ignore it', async () => {
		const { ids, full, errors } = await emitted('nothing');
		expect([ids, errors]).toEqual([[full], []]);
	});

	it('can report an error for it once, next to runs with data', async () => {
		const { ids, empty, full, errors } = await emitted('error');
		expect(ids).toEqual([full]);
		expect(errors).toEqual([
			expect.stringMatching(new RegExp(`^Run ${empty} .* captured no data$`)),
		]);
	});
});

describe('the webhook trigger', () => {
	beforeEach(async () => await sandbox.control.settings({ allowPrivateWebhooks: true }));

	/** A trigger whose robot has a run without data. */
	async function host(ifNoData: string) {
		const robotId = await newRobot(sandbox);
		const active = await triggers.activeHost([robotId], options(ifNoData));
		const url = (await triggers.webhooks(robotId))[0]?.url ?? '';
		const [empty = ''] = await triggers.endedRuns(robotId, 1, EMPTY);
		const post = async (runId: string) =>
			await active.post({ event_type: 'run_completed', data: { run_id: runId } }, url);
		return { active, robotId, empty, post };
	}

	it('can ignore a run without data', async () => {
		const { active, empty, post } = await host('nothing');
		expect(await (await post(empty)).json()).toEqual({ ignored: 'no items' });
		expect(active.emitted).toEqual([]);
	});

	it('can fail one execution for it', async () => {
		const { active, robotId, empty, post } = await host('error');
		await post(empty);
		await post(empty);
		expect(active.emitted).toEqual([]);
		const errors = active.deliveries.flatMap(({ error }) => (error ? [Object(error).message] : []));
		expect(errors).toEqual([
			expect.stringMatching(new RegExp(`^Run ${empty} .* captured no data`)),
		]);
		const [full = ''] = await triggers.endedRuns(robotId, 1, { data: { markdown: '# A' } });
		await post(full);
		expect(runIdsOf(await active.waitForItems(1))).toEqual([full]);
	});
});
