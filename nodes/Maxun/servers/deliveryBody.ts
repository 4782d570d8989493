/** The unverified content of a webhook delivery. */
export interface Delivery {
	isTest: boolean;
	runId?: string;
	robotId?: string;
	/** When the run ended, as ISO 8601. */
	finishedAt?: string;
}

const RUN_ID = ['run_id', 'runId'];
const ROBOT_ID = ['robot_id', 'robotId'];
const FINISHED_AT = ['finished_at', 'finishedAt'];

/** Maximum length of an ID or a time. The node sends IDs to Maxun as part of a URL, and anyone can forge a delivery. */
const LONGEST = 200;

/**
 * Reads a delivery of any shape. The IDs are in the body or its `data`, in snake or camel case. The type identifies a
 * sample event. Reads no deeper, so that forged deliveries cost nothing.
 */
export function readDelivery(body: unknown): Delivery {
	const outer = fieldsOf(body);
	const inner = fieldsOf(outer.get('data'));
	const find = (names: string[]) =>
		[inner, outer].flatMap((fields) => names.map((name) => fields.get(name))).find(isShortText);
	const type = outer.get('event_type') ?? outer.get('event') ?? outer.get('type');
	return {
		isTest: type === 'webhook_test' || inner.get('status') === 'test',
		runId: find(RUN_ID),
		robotId: find(ROBOT_ID),
		finishedAt: find(FINISHED_AT),
	};
}

const isShortText = (value: unknown): value is string =>
	typeof value === 'string' && value !== '' && value.length <= LONGEST;

const fieldsOf = (value: unknown) =>
	new Map<string, unknown>(
		typeof value === 'object' && value !== null && !Array.isArray(value)
			? Object.entries(value)
			: [],
	);
