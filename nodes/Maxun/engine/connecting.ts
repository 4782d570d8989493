import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { MaxunFault } from '../http/fault';
import { deadlineOf } from '../runs/poll';
import type { ItemState } from '../runs/types';
import { connectServer } from '../servers';
import type { MaxunServer, ServerKind } from '../servers/types';
import type { Job, Jobs } from './operation';

/** Milliseconds between two attempts to read the credential. */
const DELAY = 3_000;

/**
 * Connects to the server once for all items.
 *
 * @returns a function that reads the credential again if n8n can't read it now, for example because its database is down.
 *   `until` says for how long, in epoch milliseconds
 */
export function connecting(
	context: IExecuteFunctions,
	kind: ServerKind,
): (until: number) => Promise<MaxunServer> {
	let latest = connectServer(context, kind);
	latest.catch(() => 'each item that needs it reports it');
	return async (until) => {
		for (;;) {
			const current = latest;
			const outcome = await current.catch((error: unknown) => {
				if (Date.now() >= until || !isMomentary(error)) throw error;
			});
			if (outcome) return outcome;
			await sleep(DELAY);
			context.getExecutionCancelSignal()?.throwIfAborted();
			if (latest === current) latest = connectServer(context, kind);
		}
	};
}

/** Until when the runs of an item may still be read, in epoch milliseconds; 0 if it has none. */
export const readableUntil = (jobs: Jobs, saved: ItemState[] = []): number =>
	Math.max(0, ...saved.map((state, index) => ('run' in state ? endOf(state, jobs[index]) : 0)));

const endOf = ({ since }: { since: number }, job: Job | Error | undefined) =>
	job && 'settings' in job ? deadlineOf({ since, settings: job.settings, context: {} }) : 0;

/** Whether the same look-up may succeed later. n8n's own refusals, such as a credential that doesn't exist, have a level. */
const isMomentary = (error: unknown) =>
	error instanceof Error && !(error instanceof MaxunFault) && !('level' in error);
