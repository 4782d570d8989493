import { z } from 'zod';
import type { Attempt } from '../attempts';
import type { Backlog } from '../backlog';
import type { TriggerNode } from '../triggerNode';
import { Failures, SavedFailures } from './failures';
import { Ledger, SavedLedger } from './ledger';
import { ProcessStates } from './processStates';
import { readState, saveState, type StateStore } from './staticData';

const SavedState = z.object({ ledger: SavedLedger, failures: SavedFailures });

/** Ended runs, with what was read of them. */
export interface Search {
	backlog: Backlog;
	attempts: Attempt[];
}

/** The state of a polling trigger. */
export class PollingState {
	readonly ledger = new Ledger();
	/** Kept by the process, because a failed poll saves nothing. */
	readonly failures = new Failures();
	/** A search that took longer than n8n allows for a poll. The next poll continues it. */
	unfinished?: Promise<Search>;

	save(store: StateStore): void {
		saveState(store, { ledger: this.ledger.toSaved(), failures: this.failures.toSaved() });
	}

	/** Adds the saved state. A poll cursor replaces the ledger, because n8n may have discarded the previous poll. */
	load(store: StateStore): this {
		const { saved, isCursor } = readState(store);
		const { ledger, failures } = SavedState.parse(saved);
		if (isCursor) this.ledger.restore(ledger);
		else this.ledger.merge(ledger);
		this.failures.merge(failures);
		return this;
	}
}

const states = new ProcessStates(() => new PollingState());

/** The state of a polling trigger: the saved state, merged with later changes of this process. */
export function loadPollingState(trigger: TriggerNode): PollingState {
	const state = states.get(trigger.key);
	return state.unfinished ? state : state.load(trigger);
}
