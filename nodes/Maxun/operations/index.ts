import type { INodePropertyOptions } from 'n8n-workflow';
import type { Operation } from '../core/operation';
import { get as accountGet } from './account/get';
import { getQueue as accountGetQueue } from './account/getQueue';
import { getRateLimits as accountGetRateLimits } from './account/getRateLimits';
import { getUsage as accountGetUsage } from './account/getUsage';
import { createScrape as robotCreateScrape } from './robot/createScrape';
import { get as robotGet } from './robot/get';
import { getAll as robotGetAll } from './robot/getAll';
import { remove as robotDelete } from './robot/delete';
import { cancel as runCancel } from './run/cancel';
import { get as runGet } from './run/get';
import { getActive as runGetActive } from './run/getActive';
import { getAll as runGetAll } from './run/getAll';
import { remove as runDelete } from './run/delete';
import { runAndWait } from './run/runAndWait';
import { start as runStart } from './run/start';
import { create as webhookCreate } from './webhook/create';
import { getAll as webhookGetAll } from './webhook/getAll';
import { remove as webhookDelete } from './webhook/delete';
import { sendTest as webhookTest } from './webhook/sendTest';
import { update as webhookUpdate } from './webhook/update';

export const resources: INodePropertyOptions[] = [
	{ name: 'Account', value: 'account' },
	{ name: 'Robot', value: 'robot' },
	{ name: 'Run', value: 'run' },
	{ name: 'Webhook', value: 'webhook' },
];

/** Every operation of the node; a new one needs its file and a line here. The first of a resource is its default. */
export const operations: Operation[] = [
	accountGet,
	accountGetQueue,
	accountGetRateLimits,
	accountGetUsage,
	robotGetAll,
	robotCreateScrape,
	robotDelete,
	robotGet,
	runAndWait,
	runCancel,
	runDelete,
	runGet,
	runGetActive,
	runGetAll,
	runStart,
	webhookGetAll,
	webhookCreate,
	webhookDelete,
	webhookTest,
	webhookUpdate,
];
