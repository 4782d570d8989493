import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { gone } from '../api/fault';
import { toNodeError } from '../core/errors';
import { byEnd, findBacklog, findLatest, watchFromNow } from './backlog';
import { itemsOfEvent, unwantedBecause, type EventPort, type Shape, type Wanted } from './emit';
import { attemptAll, Failures, noteFailure, SavedFailures, type Attempt } from './failures';
import { endOf, Ledger, SavedLedger } from './ledger';
import { portFor } from './port';
import { parametersOf, PollingParameters, pollingProperties } from './settings';

/** At most so many runs start the workflow with one poll; the next one goes on. */
const RUNS_PER_POLL = 100;

/** Milliseconds after which a poll begins with no further run once one could not be fetched: all may be like that. */
const TRYING = 60_000;

type Settings = Wanted & Shape;

/** One look at the runs. @returns the runs that have ended since the last one; null when there are none */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const id = [context.getMode(), context.getWorkflow().id, context.getNode().id].join(' ');
	// A poll that takes longer than the interval is not overtaken by the next one.
	if (underWay.has(id)) return null;
	underWay.add(id);
	const mayFail = isFirst(context, id);
	return await look(context, failuresOf(id))
		.catch((error: unknown) => {
			if (!mayFail) throw toNodeError(context.getNode(), error, 0, pollingProperties);
			context.logger.warn(`${context.getNode().name} could not ask yet: ${String(error)}`);
			return null;
		})
		.finally(() => underWay.delete(id));
}

/** The polls that this process makes right now. */
const underWay = new Set<string>();

/** The failures of each polling trigger: a look that fails as a whole saves nothing. */
const failuresById = new Map<string, Failures>();

function failuresOf(id: string): Failures {
	const failures = failuresById.get(id) ?? new Failures();
	failuresById.set(id, failures);
	return failures;
}

/** Polling triggers that this process has taken up after a start of n8n. */
const takenUp = new Set<string>();

/**
 * Whether it is the first look after a start of n8n or the loss of its leader. n8n gives a trigger up for good that
 * fails then a few times, as while the service is away; so the next look shows what is wrong.
 */
function isFirst(context: IPollFunctions, id: string): boolean {
	const activation = context.getActivationMode();
	if (activation !== 'init' && activation !== 'leadershipChange') return false;
	const before = takenUp.size;
	return takenUp.add(`${activation} ${id}`).size > before;
}

async function look(
	context: IPollFunctions,
	failures: Failures,
): Promise<INodeExecutionData[][] | null> {
	const { events, robotIds, output, options } = parametersOf(PollingParameters, context);
	const { teamId, ...others } = options;
	const settings: Settings = { events, robotIds, output, ...others };
	const port = await portFor(context, { teamId });
	if (context.getMode() === 'manual') return [await latest(context, settings, port)];
	const data = context.getWorkflowStaticData('node');
	const ledger = new Ledger();
	ledger.merge(SavedLedger.catch({ since: 0, from: {}, seen: {} }).parse(data.ledger));
	failures.merge(SavedFailures.parse(data.failures));
	await watchFromNow(port.runs, ledger, robotIds, port.passOver);
	// A robot that is gone is not watched: should it be there again, all of its past would seem to be new.
	const watched = robotIds.filter((robotId) => ledger.watches(robotId));
	const items = await newItems({ ...settings, robotIds: watched }, port, { ledger, failures });
	const saved: IDataObject = { ledger: ledger.toSaved(), failures: failures.toSaved() };
	for (const [key, value] of Object.entries(saved)) {
		if (JSON.stringify(value) !== JSON.stringify(data[key])) data[key] = value;
	}
	return items.length > 0 ? [items] : null;
}

/** What a polling trigger knows of runs. */
interface Known {
	ledger: Ledger;
	failures: Failures;
}

/**
 * The items of the runs that nothing has been done about; the ledger knows of them then.
 *
 * @throws MaxunFault where none of them could be fetched
 */
async function newItems(
	settings: Settings,
	port: EventPort,
	known: Known,
): Promise<INodeExecutionData[]> {
	const { ledger, failures } = known;
	const { missed, completeUntil } = await findBacklog(port.runs, ledger, settings);
	failures.keepOnly(missed.map(({ id }) => id));
	const due = failures.lastly(missed).slice(0, RUNS_PER_POLL);
	const attempts = await attemptAll(due, failures, Date.now() + TRYING, async (run, isLast) => {
		const found = await gone(port.runs.read(run.id, run.robotId ? [run.robotId] : []));
		const isWanted = found && unwantedBecause(found, settings) === undefined;
		return isWanted ? await itemsOfEvent(found, settings, port, isLast) : [];
	});
	const items = note(
		attempts.sort((a, b) => byEnd(a.run, b.run)),
		port,
		known,
	);
	const left = missed.find((run) => !ledger.isSettled(run));
	ledger.advance(Math.min(completeUntil, left ? (endOf(left) ?? 0) - 1 : Infinity));
	return items;
}

/** Notes what came of the attempts. @returns the items, the run that ended first in front */
function note(attempts: Attempt[], { warn }: EventPort, { ledger, failures }: Known) {
	const items = attempts.map((made) => {
		if ('items' in made) {
			ledger.settle(made.run);
			return made.items;
		}
		noteFailure(made.run, made.fault.message, made.isLast, { failures, ledger, warn });
		return [];
	});
	const [first] = attempts;
	const isNothingDone = attempts.every(({ run }) => !ledger.isSettled(run));
	if (first && 'fault' in first && isNothingDone) throw first.fault;
	for (const { run } of attempts) if (ledger.isSettled(run)) failures.forget(run.id);
	return items.flat();
}

/** In the editor: the latest run that would have started the workflow. */
async function latest(
	context: IPollFunctions,
	settings: Settings,
	port: EventPort,
): Promise<INodeExecutionData[]> {
	const found = await findLatest(port.runs, settings);
	if (found) {
		const run = await port.runs.read(found.id, found.robotId ? [found.robotId] : []);
		return await itemsOfEvent(run, settings, port);
	}
	throw new NodeOperationError(context.getNode(), 'No run has ended yet that would start it', {
		description:
			'Run one of the robots, or choose other events, robots and options, then test again',
	});
}
