import { NodeOperationError } from 'n8n-workflow';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { Run } from '../api/entities';
import { MaxunFault } from '../api/fault';
import { CONCURRENCY, mapConcurrently } from '../core/concurrency';
import { toNodeError } from '../core/errors';
import { findBacklog, findLatest, watchFromNow } from './backlog';
import { itemsOfEvent, unwantedBecause, type EventPort, type Shape, type Wanted } from './emit';
import { endOf, Ledger, SavedLedger } from './ledger';
import { portFor } from './port';
import { parametersOf, PollingParameters, pollingProperties } from './settings';

/** At most so many runs start the workflow with one poll; the next one goes on. */
const RUNS_PER_POLL = 100;

type Settings = Wanted & Shape;

/** One look at the runs. @returns the runs that have ended since the last one; null when there are none */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const id = [context.getMode(), context.getWorkflow().id, context.getNode().id].join(' ');
	// A poll that takes longer than the interval is not overtaken by the next one.
	if (underWay.has(id)) return null;
	underWay.add(id);
	const mayFail = isFirst(context, id);
	return await look(context)
		.catch((error: unknown) => {
			if (!mayFail) throw toNodeError(context.getNode(), error, 0, pollingProperties);
			context.logger.warn(`${context.getNode().name} could not ask yet: ${String(error)}`);
			return null;
		})
		.finally(() => underWay.delete(id));
}

/** The polls that this process makes right now. */
const underWay = new Set<string>();

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

async function look(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const { events, robotIds, output, options } = parametersOf(PollingParameters, context);
	const { teamId, ...others } = options;
	const settings: Settings = { events, robotIds, output, ...others };
	const port = await portFor(context, { teamId });
	if (context.getMode() === 'manual') return [await latest(context, settings, port)];
	const data = context.getWorkflowStaticData('node');
	const ledger = new Ledger();
	ledger.merge(SavedLedger.catch({ since: 0, from: {}, seen: {} }).parse(data.ledger));
	await watchFromNow(port.runs, ledger, robotIds, port.passOver);
	// A robot that is gone is not watched: should it be there again, all of its past would seem to be new.
	const watched = robotIds.filter((robotId) => ledger.watches(robotId));
	const items = await newItems({ ...settings, robotIds: watched }, port, ledger);
	const saved = ledger.toSaved();
	if (JSON.stringify(saved) !== JSON.stringify(data.ledger)) data.ledger = saved;
	return items.length > 0 ? [items] : null;
}

/** The items of the runs that nothing has been done about; the ledger knows of them then. */
async function newItems(
	settings: Settings,
	port: EventPort,
	ledger: Ledger,
): Promise<INodeExecutionData[]> {
	const { missed, completeUntil } = await findBacklog(port.runs, ledger, settings);
	const due = missed.slice(0, RUNS_PER_POLL);
	const items = await mapConcurrently(due, CONCURRENCY, async (run) => {
		const found = await readRun(run, port);
		const isWanted = found && unwantedBecause(found, settings) === undefined;
		return isWanted ? await itemsOfEvent(found, settings, port) : [];
	});
	for (const run of due) ledger.settle(run);
	const [left] = missed.slice(RUNS_PER_POLL);
	ledger.advance(Math.min(completeUntil, left ? (endOf(left) ?? 0) - 1 : Infinity));
	return items.flat();
}

/** The run with its data; undefined where it was deleted meanwhile. */
async function readRun({ id, robotId }: Run, port: EventPort): Promise<Run | undefined> {
	return await port.runs.read(id, robotId ? [robotId] : []).catch((fault: unknown) => {
		if (fault instanceof MaxunFault && fault.status === 404) return undefined;
		throw fault;
	});
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
