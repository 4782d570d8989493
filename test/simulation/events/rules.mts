import type { Run, Service } from '../maxun/service.mts';
import type { History } from './history.mts';
import type { Call, Start } from './host.mts';
import type { Story, Watch } from './story.mts';

/** Checks a history after its end. The name says what must hold. @returns a sentence for each violation */
type Rule = (story: Story, history: History) => string[];

const MINUTE = 60_000;

/** How long Maxun and the trigger retry an event together. */
const RETRIES = 75 * MINUTE;

/** The IDs of the runs that started a workflow. */
const runsOf = ({ items }: Pick<Start, 'items'>): string[] =>
	items.flatMap(({ json: { run } }) =>
		typeof run === 'object' && run !== null && 'id' in run ? String(run.id) : [],
	);

const isOf = (start: Start, { host, workflow }: Watch) =>
	start.host === host && start.workflowId === workflow.id;

/** The starts of a workflow by run, if n8n stored them and the trigger emitted the run. */
function startsByRun(story: Story): Map<string, Start[]> {
	const found = new Map<string, Start[]>();
	for (const start of story.starts) {
		if (start.stored === undefined) continue;
		for (const runId of runsOf(start.emission ?? { items: [] })) {
			const key = `${runId} in ${start.workflowId} of ${start.host.settings.origin}`;
			found.set(key, [...(found.get(key) ?? []), start]);
		}
	}
	return found;
}

/** Whether deliveries don't say which run they mean. */
const hidesIds = ({ settings }: Service) =>
	['without ID', 'unknown field'].includes(settings.deliveries);

/** Whether a kill came between storing an execution and saving that. n8n leaves this open. */
const wasInterrupted = ({ stored, saved, process }: Start) =>
	!process.alive && (stored === undefined || saved === undefined);

/** Whether lists answer 404 so often that a robot may be away for more than an hour. */
const staysAway = ({ faults }: History) =>
	faults.some(({ request, fault, times }) => request === 'list' && fault === 404 && times > 10);

const everyWantedRunStartsTheWorkflow: Rule = (story, history) => {
	const { events } = history;
	// Without its webhook, a trigger gets no events.
	if (events.some((event) => 'removeWebhooks' in event) || staysAway(history)) return [];
	const { world, starts, logs } = story;
	const runs = [...world.maxun.past.runs.values()];
	const missing = (run: Run, watch: Watch) =>
		story.isWanted(run, watch) &&
		world.maxun.robots.has(run.robotId) &&
		// A run that can't be found for good counts as deleted.
		world.maxun.broken.get(run.robotId) !== 404 &&
		!waitsForEvent(run, watch) &&
		!starts.some((start) => isOf(start, watch) && isKept(start, run.id));
	// If its event was accepted for other runs, only a later event starts the workflow for a run.
	const waitsForEvent = ({ robotId, createdAt }: Run, { workflow }: Watch) => {
		const isBroken = world.maxun.broken.has(robotId);
		// Another polling node can restore data from before the first try to read the run.
		if (isBroken && workflow.hasOtherPoll) return true;
		return createdAt >= story.lastRound && (hidesIds(world.maxun) || isBroken);
	};
	// An execution that was killed is over, as any other one.
	const isKept = (start: Start, runId: string) =>
		start.emission === undefined
			? runsOf(start).includes(runId) && !start.process.alive
			: runsOf(start.emission).includes(runId);
	return story.watches
		.filter(({ catchUp, type }) => catchUp || type === 'maxunPollingTrigger')
		.filter((watch) => story.isLive(watch))
		.flatMap((watch) =>
			runs
				.filter((run) => missing(run, watch))
				.filter(({ id }) => !logs.some((line) => line.includes(id)))
				.map(
					({ id, status, robotId }) => `${watch.workflow.id} got no ${status} ${id} of ${robotId}`,
				),
		);
};

/** Another polling node of the workflow has restored older data. docs/reliability.md says so. */
const isRolledBack = (first: Start, again: Start, { watches }: Story) =>
	again.process !== first.process &&
	watches.some(({ workflow }) => workflow.id === first.workflowId && workflow.hasOtherPoll);

/** How many runs of a trigger n8n remembers. */
const REMEMBERED = 1000;

/** Whether n8n no longer knows all runs that started the workflow. Then an older ledger repeats them. */
const hasForgotten = (workflowId: string, { starts }: Story) =>
	starts.filter((start) => start.workflowId === workflowId).flatMap(runsOf).length > REMEMBERED;

const noRunStartsAWorkflowTwice: Rule = (story) =>
	[...startsByRun(story)].flatMap(([key, starts]) => {
		const isExcused = (first: Start, again: Start) =>
			first.isPoll
				? wasInterrupted(first) || isRolledBack(first, again, story)
				: isRolledBack(first, again, story) && hasForgotten(first.workflowId, story);
		const isRepeated = (again: Start, index: number) =>
			starts.slice(0, index).some((first) => !isExcused(first, again));
		return starts.some(isRepeated) ? [`${key} started ${starts.length} times`] : [];
	});

/** Without catch-up, a trigger only emits runs whose events Maxun sends. It repeats an event for 42 minutes. */
const withoutCatchUpNoOldRunStartsTheWorkflow: Rule = (story) =>
	story.watches
		.filter(({ catchUp, type }) => !catchUp && type === 'maxunTrigger')
		.flatMap((watch) => story.starts.filter((start) => isOf(start, watch)))
		.flatMap((start) =>
			runsOf(start)
				.filter((id) => {
					const end = story.world.maxun.past.runs.get(id)?.finishedAt ?? Infinity;
					return end < start.began - RETRIES;
				})
				.map((id) => `${id} started ${start.workflowId} late`),
		);

const onlyRealRunsStartWorkflows: Rule = ({ starts, world }) =>
	starts.flatMap((start) =>
		runsOf(start).flatMap((id) => {
			const run = world.maxun.past.runs.get(id);
			const isReal = run?.finishedAt !== undefined && run.finishedAt <= start.began + 60 * MINUTE;
			return isReal ? [] : [`${id} started ${start.workflowId}`];
		}),
	);

const eachTriggerHasOneWebhookPerRobot: Rule = ({ webhooks }) => {
	const counts = new Map<string, number>();
	for (const { robotId, url } of webhooks) {
		const key = `${robotId} ${url}`;
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return [...counts].filter(([, count]) => count > 1).map(([key, count]) => `${count} × ${key}`);
};

/** Copies and originals keep their own webhooks. */
const noWebhookIsTakenOver: Rule = (story, { events }) => {
	if (events.some((event) => 'removeWebhooks' in event || 'hideRobot' in event)) return [];
	return story.watches
		.filter((watch) => watch.type === 'maxunTrigger' && story.isLive(watch))
		.flatMap(({ workflow, robotIds, host }) => {
			const url = `${host.settings.origin}/webhook/${workflow.trigger.webhookId}/webhook`;
			return robotIds
				.filter((id) => story.world.maxun.robots.has(id))
				.filter((id) => !story.webhooks.some((one) => one.robotId === id && one.url === url))
				.map((id) => `${workflow.id} has no webhook on ${id}`);
		});
};

const nothingRemainsAfterwards: Rule = ({ world }) =>
	[...world.maxun.robots.values()].flatMap(({ id, webhooks }) =>
		webhooks.map(({ url }) => `${id} still has ${url.split('?')[0]}`),
	);

/** How long deliveries wait for those of their batch, in milliseconds. */
const BATCH_TIME = 30_000;

/** How many deliveries a batch contains at most. */
const LARGEST_BATCH = 50;

/** Deliveries and starts that may belong to the same batch. One delivery reads the runs of its whole batch. */
const batchOf = <T extends Pick<Call, 'workflowId' | 'process' | 'began'>>(
	{ kind, workflowId, process, began }: Call,
	others: T[],
): T[] =>
	kind === 'delivery'
		? others.filter(
				(one) =>
					one.workflowId === workflowId &&
					one.process === process &&
					Math.abs(one.began - began) <= BATCH_TIME,
			)
		: [];

/** Each delivery and each poll sends few requests, whatever it contains. */
const requestsStayWithinBounds: Rule = ({ world }, { faults, robots, events }) => {
	if (faults.length > 0 || events.some((event) => 'breakRuns' in event)) return [];
	const counts = new Map<string, number>();
	for (const { request } of world.network.exchanges) {
		const sender = request.headers['x-simulation-sender'] ?? '';
		counts.set(sender, (counts.get(sender) ?? 0) + 1);
	}
	return world.hosts.flatMap(({ calls, starts }) =>
		calls.flatMap((call) => {
			const { sender, kind, start } = call;
			const caused = start ? [start, ...batchOf(call, starts)] : batchOf(call, starts);
			const runs = Math.max(0, ...caused.map((one) => runsOf(one).length));
			const deliveries = batchOf(call, calls).filter((one) => one.kind === 'delivery').length;
			const named = Math.min(deliveries, LARGEST_BATCH);
			const count = counts.get(sender) ?? 0;
			const limit = 20 + 6 * robots + 3 * runs + named;
			return kind !== 'hook' && count > limit ? [`a ${kind} sent ${count} requests`] : [];
		}),
	);
};

/** Otherwise, no other rule would check anything. */
const workflowsCanBePublished: Rule = ({ world }, { faults, events, service }) => {
	const isDisturbed = events.some((event) => 'deleteRobot' in event || 'hideRobot' in event);
	if (isDisturbed || faults.length > 0 || service.rateLimit < 1000) return [];
	return world.hosts.flatMap(({ refused }) => refused);
};

const noRejectionIsUnhandled: Rule = ({ unhandled }) => unhandled;

/** What must hold after every history, by name. */
export const RULES: Record<string, Rule> = {
	everyWantedRunStartsTheWorkflow,
	noRunStartsAWorkflowTwice,
	withoutCatchUpNoOldRunStartsTheWorkflow,
	onlyRealRunsStartWorkflows,
	eachTriggerHasOneWebhookPerRobot,
	noWebhookIsTakenOver,
	nothingRemainsAfterwards,
	requestsStayWithinBounds,
	workflowsCanBePublished,
	noRejectionIsUnhandled,
};
