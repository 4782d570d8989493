import type { Run } from '../servers/entities';
import { noteFailure } from './attempts';
import type { EventConnection } from './connection';
import type { TriggerSettings } from './settings';
import type { DeliveryClaims } from './state/claims';
import type { TriggerState } from './state/triggerState';

/** What processing one delivery uses. */
export interface DeliveryContext {
	readonly settings: TriggerSettings;
	readonly state: TriggerState;
	readonly connection: EventConnection;
	/** The runs that this delivery has claimed. */
	readonly claims: DeliveryClaims;
	/** Until when runs may be looked for, in epoch milliseconds: the sender doesn't wait forever. */
	readonly deadline: number;
}

/** Notes that a run can't start the workflow now. */
export function noteRunFailure(
	run: Run,
	reason: string,
	isLastTry: boolean,
	{ state, connection }: DeliveryContext,
): void {
	const { failures, ledger } = state;
	noteFailure(run, reason, isLastTry, { failures, ledger, warn: connection.warn });
}
