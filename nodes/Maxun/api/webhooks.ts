import type { IDataObject } from 'n8n-workflow';
import { listOf, Webhook } from './entities';
import { path, type ApiRequest } from './request';

/** What a webhook can tell of. */
export type RunEvent = 'run_completed' | 'run_failed';

export const Webhooks = listOf(Webhook);

/** How many webhooks a robot can have. */
export const WEBHOOKS_PER_ROBOT = 10;

export const getWebhooks = (robotId: string): ApiRequest => ({
	method: 'GET',
	path: path`/robots/${robotId}/webhooks`,
});

export const createWebhook = (robotId: string, body: IDataObject): ApiRequest => ({
	method: 'POST',
	path: path`/robots/${robotId}/webhooks`,
	body,
});

export const updateWebhook = (robotId: string, id: string, body: IDataObject): ApiRequest => ({
	method: 'PATCH',
	path: path`/robots/${robotId}/webhooks/${id}`,
	body,
});

export const deleteWebhook = (robotId: string, id: string): ApiRequest => ({
	method: 'DELETE',
	path: path`/robots/${robotId}/webhooks/${id}`,
});

export const testWebhook = (robotId: string, id: string): ApiRequest => ({
	method: 'POST',
	path: path`/robots/${robotId}/webhooks/${id}/test`,
});

/** What came of a sample delivery; `undefined` where the answer, whose shape is not documented, does not tell. */
export interface TestOutcome {
	/** Whether anything at all answered at the address. */
	reached?: boolean;
	/** The service's words, or the status that it met. */
	detail: string;
}

const ACCEPTED = ['delivered', 'accepted', 'success', 'ok'];
const STATUS = ['statusCode', 'status', 'responseStatus', 'httpStatus'];
const NETWORK =
	/ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|getaddrinfo|refused|unreachable|not (be )?reach|time(d )?[ -]?out|no answer|certificate/i;

/** Reads the answer to a sample delivery. Where an HTTP status is named, something has answered. */
export function readTestAnswer(answer: unknown): TestOutcome {
	const fields = new Map<string, unknown>(
		typeof answer === 'object' && answer !== null ? Object.entries(answer) : [],
	);
	const status = STATUS.map((name) => fields.get(name)).find((value) => typeof value === 'number');
	const words = [fields.get('error'), fields.get('message')].find(
		(value) => typeof value === 'string' && value !== '',
	);
	const detail = typeof words === 'string' ? words : status ? `status ${String(status)}` : '';
	const accepted = ACCEPTED.map((name) => fields.get(name)).find(
		(value) => typeof value === 'boolean',
	);
	if (status !== undefined || accepted === true) return { reached: true, detail };
	return NETWORK.test(detail) ? { reached: false, detail } : { detail };
}
