import { afterEach, expect, it, vi } from 'vitest';
import { maxun } from '../helpers/parameters.mts';
import { usePausing } from './support/pausing.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();
const paused = usePausing(sandbox);
const { startHost } = paused;

afterEach(async () => {
	vi.restoreAllMocks();
	await sandbox.control.abortRuns(await sandbox.owner.activeRuns());
	for (const id of await robotsLeft()) await sandbox.owner.delete(`/robots/${id}`);
});

/** IDs of the robots that web operations created. */
async function robotsLeft(): Promise<string[]> {
	const { list } = await sandbox.owner.get('/robots?q=n8n&limit=100');
	return list.map(({ id }) => String(id));
}

async function startWeb(operation = 'scrape'): Promise<void> {
	await sandbox.control.settings({ runSeconds: 600, agentBuildSeconds: 0.1 });
	await startHost(
		maxun('web', operation, {
			url: `${sandbox.siteUrl}/products`,
			...(operation === 'extract' ? { prompt: 'Get the products' } : { formats: ['text'] }),
			options: { pauseAfter: 1, keepRobot: '={{ $json.keep }}' },
		}),
	);
}

/** Starts an execution and lets it pause. Returns its ID and its robot's. */
async function pause(input: { keep?: boolean } = {}) {
	const before = await robotsLeft();
	const execution = paused.host.start([{ keep: false, ...input }]);
	await paused.host.reaches(execution, ['waiting']);
	const robot = (await robotsLeft()).find((id) => !before.includes(id));
	return { execution, robot };
}

function passHour(): void {
	const now = Date.now.bind(Date);
	vi.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
}

it.each(['scrape', 'extract'])(
	'a later execution deletes the robot of a %s that was cancelled while paused',
	async (operation) => {
		await startWeb(operation);
		const cancelled = await pause();
		const waiting = await pause();
		const kept = await pause({ keep: true });
		paused.host.cancel(cancelled.execution);
		paused.host.cancel(kept.execution);
		passHour();
		const later = await pause();
		expect(new Set(await robotsLeft())).toEqual(new Set([waiting.robot, kept.robot, later.robot]));
		expect(await sandbox.owner.activeRuns()).toHaveLength(3);
		const kind = operation === 'extract' ? 'agents' : 'robots';
		expect(await sandbox.lines()).toContain(`DELETE /${kind}/${cancelled.robot}`);
	},
);

it('the node searches for orphaned robots once an hour', async () => {
	await startWeb();
	for (let round = 0; round < 3; round++) await pause();
	const looks = (await sandbox.lines()).filter((line) => line.startsWith('GET /robots?'));
	expect(looks).toEqual(['GET /robots?q=n8n&limit=100']);
});

it('an execution pauses even if the robots cannot be listed', async () => {
	await sandbox.control.fault({ kind: 'status', method: 'GET', path: '^/robots$', status: 500 });
	await startWeb();
	const execution = paused.host.start([{ keep: false }]);
	await paused.host.reaches(execution, ['waiting']);
	expect((await sandbox.lines()).filter((line) => line.startsWith('GET /robots?'))).toHaveLength(1);
});
