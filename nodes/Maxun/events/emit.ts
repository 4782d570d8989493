import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { Anything, type Run } from '../api/entities';
import { MaxunFault } from '../api/fault';
import { getDiff } from '../api/runs';
import type { Item } from '../core/operation';
import type { Call } from '../core/transport';
import type { PassOver, RunReader } from './runs';
import { outputOf, simplified, type Output } from '../runs/output';
import { withScreenshots } from '../runs/screenshots';

/** What has happened to a run. The service announces the first two; an aborted run only shows in lists. */
export type Happening = 'run_completed' | 'run_failed' | 'run_aborted';

const HAPPENINGS: Record<string, Happening> = {
	success: 'run_completed',
	failed: 'run_failed',
	aborted: 'run_aborted',
};

/** What a run's end amounts to; undefined for one that goes on, or whose status is not known. */
export const happeningOf = ({ status }: Pick<Run, 'status'>): Happening | undefined =>
	HAPPENINGS[status];

/** The statuses of runs to which so much may have happened, as the API lists them. */
export const statusesOf = (events: Happening[]): string[] =>
	Object.entries(HAPPENINGS).flatMap(([status, event]) => (events.includes(event) ? status : []));

/** Which runs start the workflow. */
export interface Wanted {
	events: Happening[];
	/** All robots where there are none. */
	robotIds: string[];
	onlyChanges: boolean;
	/** All sources where there are none. */
	sources: string[];
}

/** Why a run does not start the workflow; undefined when it does. */
export function unwantedBecause(run: Run, wanted: Wanted): string | undefined {
	const { events, robotIds, onlyChanges, sources } = wanted;
	const event = happeningOf(run);
	if (!event || !events.includes(event)) return `run ended as ${run.status}`;
	if (robotIds.length > 0 && !robotIds.includes(run.robotId ?? '')) return 'run of another robot';
	if (sources.length > 0 && !sources.includes(String(run.source))) return 'run of another source';
	return onlyChanges && run.hasChanges !== true ? 'run without changes' : undefined;
}

/** What an event looks like. */
export interface Shape {
	output: Output;
	includeDiff: boolean;
	downloadScreenshots: boolean;
}

/** What making the items needs of the API. */
export interface EventPort {
	call: Call;
	runs: RunReader;
	passOver: PassOver;
	/** Writes to n8n's log. */
	warn(message: string): void;
	image(source: string, name: string): Promise<IBinaryData>;
}

/**
 * The items of a run's end: what happened, to which robot, and the run; or its bare rows where those are wanted.
 *
 * @param isLastTry whether a diff that the service cannot be asked for just now is left out
 * @throws MaxunFault for such a diff otherwise
 */
export async function itemsOfEvent(
	run: Run,
	shape: Shape,
	port: EventPort,
	isLastTry = false,
): Promise<Item[]> {
	const { output, includeDiff, downloadScreenshots } = shape;
	const rows = output === 'rows' ? outputOf(run, 'rows') : [];
	const event: IDataObject = {
		event: happeningOf(run),
		robot: { id: run.robotId, name: run.robotName },
		run: output === 'full' ? run : simplified(run),
	};
	if (includeDiff) Object.assign(event, await diffOf(run, port.call, isLastTry));
	const items = (rows.length > 0 ? rows : [event]).map((json) => ({ json }));
	return downloadScreenshots ? await withScreenshots(port, run, items) : items;
}

/** The run's diff, or null where there is none to compare with; `diffError` says why it could not be had. */
async function diffOf(run: Run, call: Call, isLastTry: boolean): Promise<IDataObject> {
	if (run.hasChanges !== true) return { diff: null };
	return await call(getDiff(run.id), Anything).then(
		(diff) => ({ diff }),
		(fault: unknown) => {
			if (!(fault instanceof MaxunFault)) throw fault;
			if (!fault.transient) return { diff: null };
			if (!isLastTry) throw fault;
			return { diff: null, diffError: `${fault.message}. ${fault.description}` };
		},
	);
}
