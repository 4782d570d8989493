import { isObject, isText } from '../http/values';
import { isName } from './named';

/** Reads a delivery in any format, but no deeper than `data`, so that forged deliveries don't cost anything. */
export function readDelivery(body: unknown) {
	const outer = isObject(body) ? body : {};
	const inner = isObject(outer.data) ? outer.data : {};
	const find = (...names: string[]) =>
		[inner, outer].flatMap((fields) => names.map((name) => fields[name])).find(isRunId);
	const type = outer.event_type ?? outer.event ?? outer.type;
	return {
		isTest: type === 'webhook_test' || inner.status === 'test',
		runId: find('run_id', 'runId'),
		/** A run that has failed may complete later. */
		isFailure: type === 'run_failed',
	};
}

/** The node sends the ID to Maxun in a URL, and anyone can forge a delivery. */
const isRunId = (value: unknown): value is string => isText(value) && !isName(value);
