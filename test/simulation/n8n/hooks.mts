import { hooksOf } from '../../helpers/engine/additional-data.mts';
import { endOf } from '../../helpers/engine/execution-store.mts';
import type { Start } from './calls.mts';
import type { N8n } from './host.mts';

/** Stores an execution's data when it ends or pauses (hookFunctionsSave). */
export function hooksFor(n8n: N8n, id: string, start?: Start) {
	const { clock, database, executions } = n8n;
	const stored = database.executions.of(id);
	const hooks = hooksOf(stored.mode, id, stored.workflowId);
	hooks.addHandler('nodeExecuteBefore', (node) => void (stored.runningNode = node));
	hooks.addHandler('nodeExecuteAfter', (name, { data, error }) => {
		stored.runningNode = undefined;
		if (name !== start?.trigger.name || error) return;
		start.emission = { items: data?.main?.[0] ?? [], at: clock.now };
	});
	hooks.addHandler('workflowExecuteAfter', async (run, staticData) => {
		const end = endOf(run);
		try {
			if (staticData) await n8n.save(n8n.workflow(stored.workflowId), { staticData });
			const isStored = await database.update(id, end, (status) => status !== 'canceled');
			if (!isStored && end.status === 'waiting') stored.wasCanceledWhilePausing = true;
		} catch {
			// After its next start, n8n finds the execution still marked as running and fails it.
			stored.wasNotStored = true;
			executions.lost.add(id);
			database.executions.crash(id);
		}
	});
	return hooks;
}
