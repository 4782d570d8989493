import type { Run } from '../servers/entities';
import { noteFailure } from './attempts';
import type { EventConnection } from './connection';
import type { TriggerSettings } from './settings';
import type { DeliveryClaims } from './state/claims';
import type { TriggerState } from './state/triggerState';

/** What processing a batch of deliveries uses. */
export interface DeliveryContext {
	readonly settings: TriggerSettings;
	readonly state: TriggerState;
	readonly connection: EventConnection;
	/** The runs that these deliveries have claimed. */
	readonly claims: DeliveryClaims;
	/** Deadline for the search for runs, in epoch milliseconds. The sender doesn't wait forever. */
	readonly deadline: number;
}

/** Records that a run can't start the workflow now. */
export function noteRunFailure(
	run: Run,
	reason: string,
	isLastTry: boolean,
	{ state, connection }: DeliveryContext,
): void {
	const { failures, ledger } = state;
	noteFailure(run, reason, isLastTry, { failures, ledger, warn: connection.warn });
}
