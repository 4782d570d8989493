import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isObject } from '../../http/values';
import { isPollCursor } from '../../n8n/internals';
import type { Attempt } from '../attempts';
import type { Backlog } from '../backlog';
import type { TriggerNode } from '../triggerNode';
import { Failures, SavedFailures } from './failures';
import { Ledger, SavedLedger } from './ledger';
import { ProcessStates } from './processStates';
import { saveChanges } from './staticData';

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

	/**
	 * Saves the state. If n8n doesn't store it together with the execution, saves it twice: n8n looks for the data of a
	 * node under its name, and the workflow's data under the node's ID survives a new name.
	 */
	save({ staticData, workflowData, node }: TriggerNode): void {
		const saved = { ledger: this.ledger.toSaved(), failures: this.failures.toSaved() };
		const data = staticData();
		saveChanges(data, saved);
		if (!isPollCursor(data)) saveChanges(workflowData(), { [keyOf(node.id)]: saved });
	}

	/**
	 * Adds the saved states, which are empty after the first publication. A poll cursor replaces the ledger, because n8n
	 * may have discarded the previous poll.
	 */
	load({ staticData, workflowData, node }: TriggerNode): this {
		const data = staticData();
		const isCursor = isPollCursor(data) && 'ledger' in data;
		if (isCursor) this.ledger.restore(SavedState.parse(data).ledger);
		const byId = isCursor ? undefined : workflowData()[keyOf(node.id)];
		for (const saved of [data, byId]) if (isObject(saved)) this.merge(saved);
		return this;
	}

	private merge(data: IDataObject): void {
		const { ledger, failures } = SavedState.parse(data);
		this.ledger.merge(ledger);
		this.failures.merge(failures);
	}
}

const keyOf = (nodeId: string) => `maxun:${nodeId}`;

const states = new ProcessStates(() => new PollingState());

/** The state of a polling trigger: the saved state, merged with later changes of this process. */
export function loadPollingState(trigger: TriggerNode): PollingState {
	const state = states.get(trigger.key);
	return state.unfinished ? state : state.load(trigger);
}
