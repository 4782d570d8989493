import { beforeEach, expect, it } from 'vitest';
import type { TriggerHost } from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { runIdsOf, Triggers } from './support/triggers.mts';

const sandbox = useSandbox();
const triggers = new Triggers(sandbox);
beforeEach(async () => await sandbox.control.settings({ allowPrivateWebhooks: true }));

/** Runs that end, each with one to three deliveries, some of them forged. */
const RUNS = 150;
const FORGED = 50;
/** Parallel limit. */
const SENDERS = 8;

type Post = { address: string; body: unknown; isGenuine: boolean };

const claim = (run_id: unknown) => ({ event_type: 'run_completed', data: { run_id } });

function genuine(address: string, runIds: string[]): Post[] {
	return runIds.flatMap((runId, index) =>
		Array.from({ length: 1 + (index % 3) }, () => ({
			address,
			body: claim(runId),
			isGenuine: true,
		})),
	);
}

function forged(address: string, foreign: string): Post[] {
	const bare = address.split('?')[0] ?? '';
	const kinds: Array<[address: string, body: unknown]> = [
		[bare, claim(foreign)],
		[`${bare}?secret=guessed`, claim(foreign)],
		[address, claim(foreign)],
		[address, claim('no-such-run')],
		[address, claim({ $ne: null })],
		[address, claim('x'.repeat(200_000))],
		[address, '{"cut'],
		[address, `{"data":${'['.repeat(1000)}${']'.repeat(1000)}}`],
	];
	return Array.from({ length: FORGED }, (_, index) => {
		const [to = '', body] = kinds[index % kinds.length] ?? [];
		return { address: to, body, isGenuine: false };
	});
}

it('each of many runs is emitted once, despite repeats, forgeries and two restarts', async () => {
	const [robotId, other] = [await newRobot(sandbox), await newRobot(sandbox)];
	let host = await triggers.activeHost([robotId]);
	const url = (await triggers.webhooks(robotId))[0]?.url ?? '';
	const [foreign = ''] = await sandbox.control.runs({ robotId: other });
	const runIds = await triggers.endedRuns(robotId, RUNS);
	const posts = [...genuine(url, runIds), ...forged(url, foreign)].sort(() => Math.random() - 0.5);
	const restarts = [posts.length / 3, (posts.length * 2) / 3];
	const emitted: unknown[] = [];
	let sent = 0;

	/** Another process with only the saved data. */
	async function restart(dying: TriggerHost): Promise<void> {
		const { port, staticData } = dying;
		await dying.close();
		emitted.push(...runIdsOf(dying.emitted));
		host = await triggers.host([robotId], {}, { port, staticData: staticData.reloaded() });
		host.reopen();
	}

	async function sender(): Promise<void> {
		for (let post = posts.pop(); post !== undefined; post = posts.pop()) {
			const status = await host.post(post.body, post.address).then(
				(answer) => answer.status,
				() => 0,
			);
			// Refused deliveries are retried later than the others.
			if (post.isGenuine && status !== 200) posts.unshift(post);
		}
	}

	for (const end of [...restarts, Infinity]) {
		const batch = posts.splice(0, Math.ceil(Math.min(end - sent, posts.length)));
		sent += batch.length;
		const later = posts.splice(0);
		posts.push(...batch);
		await Promise.all(Array.from({ length: SENDERS }, sender));
		posts.push(...later);
		if (end !== Infinity) await restart(host);
	}
	emitted.push(...runIdsOf(host.emitted));
	expect(emitted.filter((id) => !runIds.includes(String(id)))).toEqual([]);
	expect([...emitted].sort()).toEqual([...runIds].sort());
}, 120_000);
