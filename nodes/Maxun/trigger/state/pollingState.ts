import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isObject } from '../../http/values';
import type { TriggerNode } from '../triggerNode';
import { Failures, SavedFailures } from './failures';
import { Ledger, SavedLedger } from './ledger';
import { ProcessStates } from './processStates';
import { saveChanges } from './staticData';

const SavedState = z.object({ ledger: SavedLedger, failures: SavedFailures });

/** The state of a polling trigger. */
export class PollingState {
	readonly ledger = new Ledger();
	/** Kept by the process, because a failed poll saves nothing. */
	readonly failures = new Failures();

	/**
	 * Saves the state twice. n8n looks for the data of a node under its name, and may store that data together with the
	 * execution. The workflow's data under the node's ID survives a new name.
	 */
	save({ staticData, workflowData, node }: TriggerNode): void {
		const saved = { ledger: this.ledger.toSaved(), failures: this.failures.toSaved() };
		saveChanges(staticData(), saved);
		saveChanges(workflowData(), { [keyOf(node.id)]: saved });
	}

	private merge(data: IDataObject): void {
		const { ledger, failures } = SavedState.parse(data);
		this.ledger.merge(ledger);
		this.failures.merge(failures);
	}

	/** Adds the saved states, which are empty after the first publication. */
	load({ staticData, workflowData, node }: TriggerNode): this {
		const byId = workflowData()[keyOf(node.id)];
		for (const data of [staticData(), byId]) if (isObject(data)) this.merge(data);
		return this;
	}
}

const keyOf = (nodeId: string) => `maxun:${nodeId}`;

const states = new ProcessStates(() => new PollingState());

/** The state of a polling trigger: the saved state, merged with later changes of this process. */
export const loadPollingState = (trigger: TriggerNode): PollingState =>
	states.get(trigger.key).load(trigger);
