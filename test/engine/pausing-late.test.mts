import { expect, it } from 'vitest';
import { newProductRobot, newRobot, productUrl, robotsLeft } from '../helpers/fixtures.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { usePausing } from './support/pausing.mts';

const paused = usePausing();
const { sandbox, pausesAgain } = paused;

const OPTIONS = {
	options: { pauseAfter: 1, timeoutMinutes: 60 },
	generalOptions: { maxRetries: 0 },
};
const HOURS = 60 * 60_000;

const pause = async (parameters: Parameters<typeof paused.startHost>[0]) =>
	await paused.pause([{}], parameters);

/** Resumes an execution as if n8n had been off for this many milliseconds. */
function comeBack(execution: string, after: number): void {
	paused.host.expire(execution, after);
	paused.host.resumeByTimer(execution);
}

async function rowsOf(execution: string) {
	const { error, json } = await paused.end(execution);
	expect(error?.message).toBeUndefined();
	return json;
}

it.each([
	['Run and Wait', async () => ({ robotId: locator(await newRobot(sandbox)) })],
	[
		'Scrape Page',
		async () => maxun('web', 'scrape', { url: `${sandbox.siteUrl}/products`, formats: ['text'] }),
	],
])(
	'a run that ended past its timeout while n8n was off returns its data, even if Maxun is back later: %s',
	async (_, parameters) => {
		const execution = await pause({ ...(await parameters()), ...OPTIONS });
		await paused.finishRuns();
		await sandbox.respond(503, 'GET /runs', { times: 100 });
		comeBack(execution, 3 * HOURS);
		await pausesAgain(execution);
		await sandbox.control.clearFaults();
		await paused.passTime(execution);
		const rows = await rowsOf(execution);
		expect(rows).toHaveLength(1);
		expect(rows[0]?.error ?? null).toBeNull();
		expect(await robotsLeft(sandbox)).toEqual([]);
	},
);

it('a run that has left the queue in the meantime has its whole timeout', async () => {
	await sandbox.control.settings({ slots: 1 });
	await sandbox.owner.post(`/robots/${await newRobot(sandbox)}/runs`, {});
	const execution = await pause({ robotId: locator(await newRobot(sandbox)), ...OPTIONS });
	await sandbox.control.finishRun((await sandbox.owner.activeRuns())[0] ?? '');
	await sandbox.control.settings({ slots: 20 });
	comeBack(execution, 3 * HOURS);
	await pausesAgain(execution);
	await paused.finishAndResume(execution);
	expect(await rowsOf(execution)).toEqual([expect.objectContaining({ status: 'success' })]);
});

it("a page that hangs has ten times as long as the robot's other pages, but at least two minutes", async () => {
	const urls = ['example', ...[1, 2, 3, 4].map((id) => productUrl(sandbox, id))];
	const robotId = locator(await newProductRobot(sandbox));
	const execution = await pause(maxun('run', 'runOnUrls', { robotId, urls, ...OPTIONS }));
	const [hanging, ...others] = await sandbox.owner.activeRuns();
	for (const id of others) await sandbox.control.finishRun(id);
	await paused.passTime(execution);
	await pausesAgain(execution);
	comeBack(execution, 0.05 * HOURS);
	expect(await rowsOf(execution)).toHaveLength(3);
	expect(paused.host.hints(execution)).toEqual([
		expect.stringMatching(
			/^2 of 5 pages failed: example \(not a valid URL\), .*did not end within 2 minutes, and other/,
		),
	]);
	expect(await robotsLeft(sandbox)).toEqual([]);
	expect(await sandbox.owner.activeRuns()).not.toContain(hanging);
});
