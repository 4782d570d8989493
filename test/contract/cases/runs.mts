import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { locator } from '../../helpers/parameters.mts';
import { expectFields, expectListed, expectTexts, expectThat } from '../check.mts';
import { contractCase, type Case } from '../contract.mts';
import { idOf, type Subject } from '../subject.mts';

const resource = 'run';

/** A page that is slow enough to cancel its run. */
const slowPage = ({ slowSeconds }: Subject) => `/slow?seconds=${slowSeconds}`;
const ENDED = ['success', 'failed', 'aborted'];

export const runCases: Case[] = [
	contractCase(resource, 'runAndWait', async (on) => {
		const robotId = locator(await on.scrapeRobot());
		const options = on.runOptions({ formats: ['markdown', 'text', 'links'] });
		const rows = await on.run(resource, 'runAndWait', { robotId, output: 'rows', ...options });
		expectTexts(rows[0], 'markdown', 'text');
		expectThat(Array.isArray(rows[0]?.links), 'the links are missing');
	}),
	contractCase(resource, 'runOnUrls', async (on) => {
		const robotId = locator(await on.scrapeRobot());
		const pages = [on.page('/products'), on.page('/articles')];
		const options = on.runOptions({ formats: ['markdown'] });
		const given = { robotId, urls: pages.join('\n'), ...options };
		const rows = await on.run(resource, 'runOnUrls', given);
		const read = rows.map(({ pageUrl }) => pageUrl).join();
		expectThat(read === pages.join(), 'the pages are missing or in another order');
		for (const row of rows) expectTexts(row, 'markdown');
	}),
	contractCase(resource, 'get', async (on) => {
		const id = await on.finishedRun();
		const ids = { robotId: locator(await on.scrapeRobot()), runId: locator(id) };
		const run = await on.one(resource, 'get', { ...ids, output: 'raw' });
		expectFields(run, { id, status: 'success' });
	}),
	contractCase(resource, 'getAll', async (on) => {
		const id = await on.finishedRun();
		const robotId = locator(await on.scrapeRobot());
		expectListed(await on.run(resource, 'getAll', { robotId, returnAll: true }), id);
	}),
	contractCase(resource, 'start', async (on) => {
		const robotId = locator(await on.scrapeRobot());
		const runId = idOf(await on.one(resource, 'start', { robotId, ...on.runOptions() }));
		expectFields(await ended(on, { robotId, runId: locator(runId) }), { status: 'success' });
	}),
	contractCase(resource, 'compare', async (on) => {
		const robotId = locator(await on.scrapeRobot('/products/4'));
		await on.run(resource, 'runAndWait', { robotId, output: 'rows', ...on.runOptions() });
		const updateFields = { url: on.page('/products/5') };
		await on.run('robot', 'update', { robotId, updateFields });
		await on.run(resource, 'runAndWait', { robotId, output: 'rows', ...on.runOptions() });
		const changes = await on.run(resource, 'compare', { robotId });
		expectThat(changes.length > 0, 'there are no changes');
	}),
	contractCase(resource, 'getActive', async (on) => {
		const robotId = locator(await on.scrapeRobot(slowPage(on)));
		const id = idOf(await on.one(resource, 'start', { robotId, ...on.runOptions() }));
		expectListed(await on.run(resource, 'getActive', {}), id);
		await ended(on, { robotId, runId: locator(id) });
	}),
	contractCase(resource, 'cancel', async (on) => {
		const robotId = locator(await on.scrapeRobot(slowPage(on)));
		const runId = locator(idOf(await on.one(resource, 'start', { robotId, ...on.runOptions() })));
		expectFields(await on.one(resource, 'cancel', { robotId, runId }), { canceled: true });
		const { status } = await on.one(resource, 'get', { robotId, runId, output: 'raw' });
		expectThat(['aborting', 'aborted'].includes(String(status)), `the run is ${String(status)}`);
		await on.afterCancel();
	}),
];

/** The run, as soon as it has ended. */
export async function ended(on: Subject, ids: INodeParameters) {
	for (;;) {
		const run = await on.one(resource, 'get', { ...ids, output: 'raw' });
		if (ENDED.includes(String(run.status))) return run;
		await sleep(1000);
	}
}
