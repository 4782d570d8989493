import { setTimeout as sleep } from 'node:timers/promises';
import { newRobot } from '../helpers/fixtures.mts';
import { KEYS } from '../sandbox/index.mts';
import { useMutations } from './support/mutating.mts';
import { announce, MINUTE, polled, runIdsOf, useTriggers } from './support/triggers.mts';
import { warnings } from './support/warnings.mts';

// A trigger is published, polls, receives an event and is unpublished. In one of these steps, something has changed responses.

const STEPS = ['publish', 'poll', 'deliver', 'unpublish'] as const;

const HANGS = 60 * MINUTE;

const { sandbox, triggers } = useTriggers({ settings: { selfHostedForm: 'observed' } });
// A bomb takes real time, while the time of this test is faster.
const { fuzz } = useMutations(sandbox, 20, ['a bomb']);

fuzz(
	'whatever comes instead of a response, the trigger loses no run and leaves no webhook on',
	warnings,
	async ({ kind, seed, random, pick, name: change, open }, told) => {
		const changed = pick(STEPS);
		const from = Math.floor(random() * 4);
		const times = pick([1, 2, 30]);
		let step: (typeof STEPS)[number] | undefined;
		let count = 0;
		const lines: string[] = [];
		const credentials = open({ apiKey: String(KEYS.owner) }, (request) => {
			if (step !== changed || count++ < from || count > from + times) return false;
			lines.push(request);
			return true;
		});
		const robotId = await newRobot(sandbox);
		const name = `Trigger ${kind} ${seed}.`;
		// Events don't announce canceled runs, so each poll lists runs.
		const parameters = { server: kind, events: ['run_completed', 'run_canceled'] };
		const host = await triggers.host([robotId], parameters, { credentials, node: { name } });
		const errors: unknown[] = [];
		let hangs = false;
		const play = async (now: (typeof STEPS)[number], work: () => Promise<unknown>) => {
			step = now;
			const working = work().catch((error: unknown) => void errors.push(error));
			const late = sleep(HANGS, 'late', { ref: false });
			hangs ||= (await Promise.race([working, late])) === 'late';
			step = undefined;
		};
		await play('publish', async () => await host.activate());
		// Somebody tries again.
		if (errors.length > 0) await host.activate();
		const own = async () => (await triggers.endedRuns(robotId))[0];
		const runs = [await own()];
		await play('poll', async () => await polled(host));
		runs.push(await own());
		await play('deliver', async () => await announce(host, robotId, runs[1]));
		const isMissing = () => runs.some((id) => !runIdsOf(host.emitted).includes(id));
		for (let poll = 0; poll < 3 && isMissing(); poll++) await host.poll();
		await play('unpublish', async () => await host.deactivate());
		const log = told.filter((line) => line.startsWith(name));
		const webhooks =
			kind === 'cloud' ? await triggers.webhooks(robotId) : await sandbox.server.webhooks(robotId);
		const isOn = webhooks.some(
			({ active, url: target }) => active && String(target).startsWith(host.url),
		);
		await host.close();
		const stored = [host.emitted, log, host.deliveries, host.staticData.load()];
		const words = errors.map((error) => `${String(error)}. ${Object(error).description ?? ''}`);
		// Maxun says that the robot is gone, or a self-hosted server has stored these IDs with its webhooks.
		const isLost =
			change === 'no entry' || (kind === 'selfHosted' && change === "the asked entry's IDs");
		const said = [...words, JSON.stringify([host.emitted, log])].join(' ');
		const problems = {
			hangs,
			'a lost run': isMissing(),
			'a webhook that is on': isOn && !isLost && !/remains on|may still send/.test(log.join()),
		};
		return {
			at: `${changed}, ${lines.join(', ')} (${from}, ${times}), ${change}`,
			said: said.replace(/Node(Api|Operation)Error:/g, ''),
			...{ stored, errors, problems },
		};
	},
);
