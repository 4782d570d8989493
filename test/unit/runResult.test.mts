import { expect, it } from 'vitest';
import { itemsOfEnded, resultOf } from '../../nodes/Maxun/runs/runResult';
import type { PendingRun } from '../../nodes/Maxun/runs/types';
import type { Run } from '../../nodes/Maxun/servers/entities';
import { fakeServer } from './fakeServer.mts';
import { pendingRun } from './pendingRun.mts';

/** A hosted service that accepts everything, and the requests that it received. */
async function service() {
	const sent: string[] = [];
	const maxun = await fakeServer('cloud', async ({ method, path }) => {
		sent.push(`${method} ${path}`);
		return { body: { success: true, data: {} } };
	});
	return { maxun, sent };
}

const read = async (run: PendingRun, ended: Run) =>
	await resultOf(run, { ended }, async (captured) => await itemsOfEnded(run, captured));

const hints: string[] = [];

it('a temporary robot is kept if n8n cannot store what the run captured, and the error mentions it', async () => {
	const { maxun, sent } = await service();
	const run = pendingRun(
		{ ...maxun, download: async () => Buffer.from('a picture') },
		{ temporary: 'robot' },
	);
	run.settings = { ...run.settings, downloadScreenshots: true };
	const ended = { id: 'run', status: 'success', screenshots: ['https://pics.example/a.png'] };
	const { error } = Object(await read(run, { ...ended, data: { text: 'A' } }));
	expect(sent).toEqual([]);
	expect(error.description).toMatch(/temporary robot robot remains.*Run: Get can return run run$/);
});

it('a run with only screenshots causes a hint that mentions the option that returns them', async () => {
	const { maxun } = await service();
	const run = pendingRun(maxun);
	run.context = { ...run.context, hint: (message) => void hints.push(message) };
	run.settings = { ...run.settings, output: 'rows' };
	const ended = { id: 'run', status: 'success', screenshots: ['https://pics.example/a.png'] };
	await read(run, ended);
	expect(hints).toEqual([expect.stringMatching(/Only screenshots.*Download Screenshots/)]);
});
