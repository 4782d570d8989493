import type { INodePropertyOptions } from 'n8n-workflow';
import type { Operation } from '../core/operation';
import { get as accountGet } from './account/get';
import { getQueue as accountGetQueue } from './account/getQueue';
import { getRateLimits as accountGetRateLimits } from './account/getRateLimits';
import { getUsage as accountGetUsage } from './account/getUsage';
import { create as agentCreate } from './agent/create';
import { remove as agentDelete } from './agent/delete';
import { get as agentGet } from './agent/get';
import { getAll as agentGetAll } from './agent/getAll';
import { getRuns as agentGetRuns } from './agent/getRuns';
import { run as agentRun } from './agent/run';
import { update as agentUpdate } from './agent/update';
import { get as monitoringGet } from './monitoring/get';
import { getDiff as monitoringGetDiff } from './monitoring/getDiff';
import { update as monitoringUpdate } from './monitoring/update';
import { createCrawl as robotCreateCrawl } from './robot/createCrawl';
import { createDocumentExtract as robotCreateDocumentExtract } from './robot/createDocumentExtract';
import { createDocumentParse as robotCreateDocumentParse } from './robot/createDocumentParse';
import { createScrape as robotCreateScrape } from './robot/createScrape';
import { createSearch as robotCreateSearch } from './robot/createSearch';
import { remove as robotDelete } from './robot/delete';
import { duplicate as robotDuplicate } from './robot/duplicate';
import { get as robotGet } from './robot/get';
import { getAll as robotGetAll } from './robot/getAll';
import { replaceDocument as robotReplaceDocument } from './robot/replaceDocument';
import { update as robotUpdate } from './robot/update';
import { updateDocumentPrompt as robotUpdateDocumentPrompt } from './robot/updateDocumentPrompt';
import { cancel as runCancel } from './run/cancel';
import { remove as runDelete } from './run/delete';
import { get as runGet } from './run/get';
import { getActive as runGetActive } from './run/getActive';
import { getAll as runGetAll } from './run/getAll';
import { runAndWait } from './run/runAndWait';
import { start as runStart } from './run/start';
import { remove as scheduleDelete } from './schedule/delete';
import { get as scheduleGet } from './schedule/get';
import { getAll as scheduleGetAll } from './schedule/getAll';
import { upsert as scheduleUpsert } from './schedule/upsert';
import { crawl as webCrawl } from './web/crawl';
import { extract as webExtract } from './web/extract';
import { scrape as webScrape } from './web/scrape';
import { search as webSearch } from './web/search';
import { create as webhookCreate } from './webhook/create';
import { remove as webhookDelete } from './webhook/delete';
import { getAll as webhookGetAll } from './webhook/getAll';
import { sendTest as webhookSendTest } from './webhook/sendTest';
import { update as webhookUpdate } from './webhook/update';

export const resources: INodePropertyOptions[] = [
	{ name: 'Account', value: 'account' },
	{ name: 'Agent', value: 'agent' },
	{ name: 'Monitoring', value: 'monitoring' },
	{ name: 'Robot', value: 'robot' },
	{ name: 'Run', value: 'run' },
	{ name: 'Schedule', value: 'schedule' },
	{ name: 'Web', value: 'web' },
	{ name: 'Webhook', value: 'webhook' },
];

/** Every operation of the node; a new one needs its file and a line here. The first of a resource is its default. */
export const operations: Operation[] = [
	accountGet,
	accountGetQueue,
	accountGetRateLimits,
	accountGetUsage,
	agentGetAll,
	agentCreate,
	agentDelete,
	agentGet,
	agentGetRuns,
	agentRun,
	agentUpdate,
	monitoringGet,
	monitoringGetDiff,
	monitoringUpdate,
	robotGetAll,
	robotCreateCrawl,
	robotCreateDocumentExtract,
	robotCreateDocumentParse,
	robotCreateScrape,
	robotCreateSearch,
	robotDelete,
	robotDuplicate,
	robotGet,
	robotReplaceDocument,
	robotUpdate,
	robotUpdateDocumentPrompt,
	runAndWait,
	runCancel,
	runDelete,
	runGet,
	runGetActive,
	runGetAll,
	runStart,
	scheduleUpsert,
	scheduleDelete,
	scheduleGet,
	scheduleGetAll,
	webScrape,
	webCrawl,
	webExtract,
	webSearch,
	webhookGetAll,
	webhookCreate,
	webhookDelete,
	webhookSendTest,
	webhookUpdate,
];
