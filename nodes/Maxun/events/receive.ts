import type { IDataObject } from 'n8n-workflow';
import { readDelivery } from '../api/delivery';
import { hasEnded, Run } from '../api/entities';
import { MaxunFault } from '../api/fault';
import { getRun } from '../api/runs';
import type { RunEvent } from '../api/webhooks';
import type { Call } from '../core/transport';
import { rowsOf, simplified, type Output } from '../runs/output';
import { forget, remember } from './recent';

/** What the trigger is set to emit. */
export interface TriggerSettings {
	events: RunEvent[];
	robotIds: string[];
	onlyChanges: boolean;
	output: Output;
}

/** What to do with a delivery: start the workflow, leave it at that, or ask the service to send it again later. */
export type Verdict = { emit: IDataObject[] } | { ignore: string } | { again: string };

/**
 * Decides about a delivery whose secret was right. What it says only serves to find the run; all that counts is what
 * the API says of that.
 *
 * @param trigger tells triggers apart, so that each emits a run once
 */
export async function receive(
	body: unknown,
	settings: TriggerSettings,
	trigger: string,
	call: Call,
): Promise<Verdict> {
	const { isTest, runId, robotId } = readDelivery(body);
	if (isTest) return { ignore: 'test event' };
	if (!runId) return { ignore: 'no run named' };
	if (!remember(trigger, runId)) return { ignore: 'run emitted before' };
	const verdict = await check(runId, robotId, settings, call);
	if (!('emit' in verdict)) forget(trigger, runId);
	return verdict;
}

async function check(
	runId: string,
	robotId: string | undefined,
	settings: TriggerSettings,
	call: Call,
): Promise<Verdict> {
	const run = await call(getRun(runId), Run).catch((fault: unknown) => {
		if (fault instanceof MaxunFault) return fault;
		throw fault;
	});
	if (run instanceof MaxunFault) {
		return run.status === 404 ? { ignore: 'no such run' } : { again: run.message };
	}
	if (!hasEnded(run)) return { again: 'run not over' };
	const event = eventOf(run);
	if (!event || !settings.events.includes(event)) return { ignore: `run ended as ${run.status}` };
	if (!settings.robotIds.includes(run.robotId ?? robotId ?? ''))
		return { ignore: 'run of another robot' };
	if (settings.onlyChanges && run.hasChanges !== true) return { ignore: 'run without changes' };
	return { emit: emitted(event, run, settings.output) };
}

/** The event that a run's end amounts to; an aborted run has none. */
export function eventOf({ status }: Run): RunEvent | undefined {
	if (status === 'success') return 'run_completed';
	return status === 'failed' ? 'run_failed' : undefined;
}

/** The items of an event: what happened, to which robot, and the run; or the bare rows where those are wanted. */
export function emitted(event: RunEvent, run: Run, output: Output): IDataObject[] {
	const rows = output === 'rows' ? rowsOf(run) : [];
	if (rows.length > 0) return rows;
	const robot = { id: run.robotId, name: run.robotName };
	return [{ event, robot, run: output === 'full' ? run : simplified(run) }];
}
