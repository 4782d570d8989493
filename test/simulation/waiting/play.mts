import { parse } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';
import { isFinal, type StoredExecution } from '../n8n/database.mts';
import type { NodeCode } from '../process.mts';
import { World } from '../world.mts';
import type { ExecutionPlan, History } from './history.mts';
import { INVARIANTS } from './invariants.mts';

const HOUR = 3_600_000;

/** The longest a history may take, in simulated milliseconds. */
const LONGEST = 24 * HOUR;

/** What follows the last execution, such as clean-up. */
const AFTERWARDS = 5 * 60_000;

/** An execution of a history with everything that n8n stored of it. */
export interface PlayedExecution {
	plan: ExecutionPlan;
	/** Undefined if n8n never stored it. */
	stored?: StoredExecution;
	data?: IRunExecutionData;
}

/** What a history shows. */
export interface Outcome {
	violations: string[];
	/** In milliseconds of processor time. */
	longestTurn: number;
}

/** A history after its end. */
export interface Played {
	history: History;
	world: World;
	executions: PlayedExecution[];
}

/** Plays a history. */
export async function play(history: History, code: NodeCode): Promise<Outcome> {
	const world = new World({ ...history, host: { workers: 1 } }, code);
	try {
		history.executions.forEach((plan, index) => begin(world, history, plan, index));
		const { clock } = world;
		const started = clock.now;
		await clock.run(started + LONGEST, () => isOver(world, history));
		await clock.run(clock.now + AFTERWARDS);
		const executions = history.executions.map((plan, index) => {
			const stored = world.n8n.database.all.find(({ workflowId }) => workflowId === `${index}`);
			const data: IRunExecutionData | undefined = stored && parse(stored.data);
			return { plan, stored, data };
		});
		const played = { history, world, executions };
		const violations = INVARIANTS.flatMap((check) =>
			check(played).map((text) => `${check.name}: ${text}`),
		);
		return { violations, longestTurn: clock.longestTurn };
	} finally {
		world.close();
	}
}

/** Names the run of an item, in the simulated Maxun and in outputs. */
export const keyOf = (execution: number, item: number) => `execution ${execution} item ${item}`;

function begin(
	{ clock, maxun, n8n }: World,
	{ server }: History,
	plan: ExecutionPlan,
	index: number,
) {
	const items = plan.items.map((run, item) => ({
		robotId: maxun.createRobot({ type: 'extract', plan: run, name: keyOf(index, item) }).id,
	}));
	const parameters = {
		server,
		resource: 'run',
		operation: 'runAndWait',
		robotId: { __rl: true as const, mode: 'id' as const, value: '={{ $json.robotId }}' },
		options: { pauseAfter: plan.pauseAfter, onFailure: 'return' },
	};
	const start = () => n8n.start({ id: `${index}`, parameters }, items, 'trigger');
	clock.after(plan.at * 1000, start, null);
}

const isOver = ({ n8n: { database } }: World, { executions }: History) =>
	database.all.length === executions.length && database.all.every(isFinal);
