import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from './rest.mts';
import { openStage, type Stage } from './stage.mts';
import { FULL, quickRobot, random, stateOf, trigger, watching } from './watched.mts';

const ROUNDS = FULL ? 50 : 8;

let stage: Stage;

beforeAll(async () => {
	stage = await openStage({ settings: { runSeconds: 0.05 } });
});

afterAll(async () => await stage?.close());

it('never has more than one webhook for a workflow and robot, and none at the end', async () => {
	const { rest, n8n } = stage;
	const robots = [await quickRobot(stage), await quickRobot(stage), await quickRobot(stage)];
	const { id, nodes } = await rest.createWorkflow(watching(trigger(robots.slice(0, 2))));
	let name = String(nodes[0]?.name);
	let active = false;
	const watch = watchWebhooks();

	async function change(parameters: { name?: string; robotIds?: string[] }): Promise<void> {
		const current = (await rest.workflow(id)).nodes;
		const changed = current.map((node) =>
			node.name === name
				? {
						...node,
						name: parameters.name ?? name,
						parameters: {
							...node.parameters,
							robotIds: parameters.robotIds ?? node.parameters.robotIds,
						},
					}
				: node,
		);
		name = parameters.name ?? name;
		const connections = { [name]: { main: [[{ node: 'Done', type: 'main', index: 0 }]] } };
		await rest.updateWorkflow(id, { nodes: changed, connections });
		if (active) await rest.activate(id);
	}

	const rounds: Array<[name: string, act: () => Promise<void>]> = [
		['activate', async () => void (await rest.activate(id).then(() => (active = true)))],
		['deactivate', async () => void (await rest.deactivate(id).then(() => (active = false)))],
		[
			'test listen',
			async () => {
				await rest.listen(id, name);
				await sleep(random(2) * 2500);
				await rest.stopListening(id);
			},
		],
		['rename', async () => await change({ name: `Watch ${random(1000)}` })],
		[
			'robots',
			async () => {
				const without = random(robots.length);
				await change({ robotIds: robots.filter((_, at) => at !== without) });
			},
		],
		['restart', async () => await n8n.restart()],
	];
	const done: Record<string, number> = {};
	for (let round = 0; round < ROUNDS; round++) {
		const [what, act] = rounds[round % rounds.length] ?? rounds[0] ?? [];
		if (!what || !act) throw new Error('No round');
		await act();
		done[what] = (done[what] ?? 0) + 1;
		await sleep(1500);
	}
	await rest.deactivate(id);
	await until('the end of the webhooks', 60_000, async () => {
		const { robots: all } = await stateOf(stage);
		return all.every(({ webhooks }) => webhooks.length === 0) || undefined;
	});
	const { most, looks } = await watch.end();
	console.log(
		`${ROUNDS} rounds (${JSON.stringify(done)}): at most ${most} webhook for an address and robot in ${looks} looks, none at the end`,
	);
	expect(most).toBe(1);
}, 1_200_000);

/** Looks all the time how many webhooks a robot has for one address. */
function watchWebhooks() {
	let going = true;
	let most = 0;
	let looks = 0;
	const watching = (async () => {
		while (going) {
			const { robots } = await stateOf(stage);
			looks++;
			for (const { webhooks } of robots) {
				const addresses = webhooks.map(({ url }) => url.split('?')[0]);
				for (const address of addresses) {
					most = Math.max(most, addresses.filter((other) => other === address).length);
				}
			}
			await sleep(50);
		}
	})();
	return {
		end: async () => {
			going = false;
			await watching;
			return { most, looks };
		},
	};
}
