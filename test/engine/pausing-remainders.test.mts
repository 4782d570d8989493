import { beforeEach, describe, expect, it } from 'vitest';
import { maxun } from '../helpers/parameters.mts';
import { until } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { usePausing } from './support/pausing.mts';

const sandbox = useSandbox();
const paused = usePausing(sandbox);

/** Refuses the next requests of a kind. */
const refuse = async (method: string, path: string) =>
	await sandbox.control.fault({ kind: 'status', status: 403, method, path, times: 1 });

const parameters = maxun('web', 'scrape', {
	url: '={{ $json.url }}',
	formats: ['text'],
	options: { pauseAfter: 3 },
});
const pages = () => [1, 2].map((page) => ({ url: `${sandbox.siteUrl}/products?page=${page}` }));

/** The temporary robot that could not be deleted. */
const leftRobot = async () => {
	const { list } = await sandbox.owner.get('/robots?q=n8n&limit=100');
	expect(list).toHaveLength(1);
	return String(list[0]?.id);
};

describe('a robot that remains in Maxun from before a pause', () => {
	/** Pauses after the run of the first item has ended and its robot could not be deleted. */
	async function pauseWithRemainder(): Promise<string> {
		await paused.startHost(parameters);
		await refuse('DELETE', '^/robots/');
		const execution = paused.host.start(pages());
		const [first = ''] = await until('two runs', 20_000, async () => {
			const runs = await sandbox.owner.activeRuns();
			return runs.length === 2 ? runs : undefined;
		});
		await sandbox.control.finishRun(first);
		await paused.host.reaches(execution, ['waiting']);
		expect(await sandbox.count(/^DELETE /)).toBe(1);
		return execution;
	}

	it('is named in the error if another item fails after the pause', async () => {
		const execution = await pauseWithRemainder();
		await sandbox.control.abortRuns(await sandbox.owner.activeRuns());
		await paused.passTime(execution);
		const { run } = await paused.host.reaches(execution, ['success', 'error']);
		const { message, description } = Object(run?.data.resultData.error);
		expect(message).toMatch(/finished with status aborted/);
		expect(description).toContain(`The temporary robot ${await leftRobot()} remains in Maxun`);
	});

	it('is named in the output if all items succeed', async () => {
		const execution = await pauseWithRemainder();
		await paused.finishRuns();
		await paused.host.reaches(execution, ['success']);
		const remains = expect.stringContaining(`The temporary robot ${await leftRobot()} remains`);
		expect(paused.host.output(execution)[0]).toContainEqual(
			expect.objectContaining({ json: expect.objectContaining({ warning: remains }) }),
		);
	});
});

describe('a robot that remains in Maxun from the try before a pause', () => {
	beforeEach(async () => {
		await refuse('POST', '/runs$');
		await refuse('DELETE', '^/robots/');
	});

	it('is named in a hint', async () => {
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		await paused.startHost(parameters, { node });
		const execution = paused.host.start(pages().slice(0, 1));
		await paused.host.reaches(execution, ['waiting']);
		await paused.finishRuns();
		await paused.host.reaches(execution, ['success']);
		expect(paused.host.hints(execution)).toEqual([
			expect.stringContaining(`The temporary robot ${await leftRobot()} remains in Maxun`),
		]);
	});
});

it('a robot that the stored state no longer names can be found by its name', async () => {
	await paused.startHost(parameters);
	const execution = paused.host.start(pages().slice(0, 1));
	await paused.host.reaches(execution, ['waiting']);
	paused.host.changeState(execution, { runs: 1 });
	await paused.passTime(execution);
	const { run } = await paused.host.reaches(execution, ['success', 'error']);
	const { message, description } = Object(run?.data.resultData.error);
	expect(message).toBe('The stored state of this execution could not be read');
	const [, part = 'none'] =
		/robots whose names contain (\S+) may also remain/.exec(description) ?? [];
	const { list } = await sandbox.owner.get('/robots?q=n8n&limit=100');
	expect(list.map(({ name }) => name)).toEqual([expect.stringContaining(part)]);
});
