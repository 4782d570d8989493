import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { touchRobot } from '../api/lookup.mts';
import { FORMATS, type Format, type Robot, type Webhook } from '../model.mts';
import type { World } from '../world.mts';
import { sdkRefusal } from './refusals.mts';
import { setSchedule } from './schedules.mts';
import { readSchedule } from './sdk-schedule.mts';
import { atUrl, pairsOf, reordered, workflowOf } from './sdk-workflow.mts';
import { pageUrl } from './urls.mts';

const record = z.record(z.unknown());

/** Columns that an update writes without checking them. */
const COLUMNS = [
	'google_sheet_email',
	'google_sheet_name',
	'airtable_base_id',
	'airtable_table_name',
];

const sentWebhook = z.object({
	id: z.string().catch(() => randomUUID()),
	url: z.string().catch(''),
	events: z.array(z.enum(['run_completed', 'run_failed'])).catch([]),
	active: z.boolean().catch(false),
	retryAttempts: z.number().catch(3),
	retryDelay: z.number().catch(5),
	timeout: z.number().catch(30),
	lastCalledAt: z.string().nullable().catch(null),
});

/**
 * Changes a robot like a real server, which accepts nearly anything.
 * @throws Refusal 400 for URLs and schedules
 */
export function updateRobot(world: World, robot: Robot, body: unknown): void {
	const { workflow, meta, schedule, webhooks, ...rest } = record.safeParse(body).data ?? {};
	const url = urlOf(meta);
	const sent = schedule ? readSchedule(schedule) : undefined;
	if (workflow) setWorkflow(robot, workflow);
	if (meta) setMeta(robot, record.safeParse(meta).data ?? {}, url);
	if (world.settings.selfHostedSdk === 'newer') {
		robot.monitoring.compareRuns = robot.stored.meta.compareRuns === true;
		if (rest.limits !== undefined) robot.stored.row.limits = rest.limits;
	}
	for (const name of COLUMNS) if (rest[name] !== undefined) robot.stored.row[name] = rest[name];
	if (schedule !== undefined) {
		robot.stored.row.schedule = sent?.stored ?? null;
		setSchedule(world, robot, sent?.schedule ?? null);
	}
	if (webhooks !== undefined) setWebhooks(robot, webhooks);
	if (meta) touchRobot(world, robot);
	world.store.touch();
}

function urlOf(meta: unknown): string | undefined {
	const { url } = record.safeParse(meta).data ?? {};
	if (!url) return undefined;
	const valid = pageUrl(url);
	if (valid === undefined) throw sdkRefusal(400, 'Invalid URL format');
	return valid;
}

function setWorkflow(robot: Robot, workflow: unknown): void {
	if (pairsOf(workflow) === undefined || !Array.isArray(workflow)) {
		throw sdkRefusal(400, 'Invalid URL in workflow');
	}
	robot.stored.workflow = reordered(workflow);
}

export function setMeta(robot: Robot, meta: Record<string, unknown>, url?: string): void {
	for (const [name, value] of Object.entries(meta)) {
		delete robot.stored.meta[name];
		if (name === 'name' && typeof value === 'string') robot.name = value;
		else if (name === 'url' && url !== undefined) moveTo(robot, url);
		else if (name === 'formats' && areFormats(value)) robot.formats = value;
		else if (name === 'promptInstructions' && typeof value === 'string') robot.smartQueries = value;
		else robot.stored.meta[name] = value;
	}
}

function moveTo(robot: Robot, url: string): void {
	robot.stored.workflow &&= atUrl(workflowOf(robot), url);
	robot.url = url;
}

function areFormats(value: unknown): value is Format[] {
	return z.array(z.enum(FORMATS)).safeParse(value).success;
}

function setWebhooks(robot: Robot, webhooks: unknown): void {
	robot.webhooks = (Array.isArray(webhooks) ? webhooks : []).flatMap(webhookOf);
	robot.stored.row.webhooks = webhooks;
}

function webhookOf(value: unknown): Webhook[] {
	const sent = record.safeParse(value).data;
	if (sent === undefined) return [];
	const now = new Date().toISOString();
	return [{ ...sentWebhook.parse(sent), createdAt: now, updatedAt: now, sent }];
}
