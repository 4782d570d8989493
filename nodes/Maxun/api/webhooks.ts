import type { IDataObject } from 'n8n-workflow';
import { listOf, Webhook } from './entities';
import { path, type ApiRequest } from './request';

/** What a webhook can tell of. */
export type RunEvent = 'run_completed' | 'run_failed';

export const Webhooks = listOf(Webhook);

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
