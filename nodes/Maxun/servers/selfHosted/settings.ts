import type { IDataObject } from 'n8n-workflow';
import { randomUUID } from 'crypto';
import { inTurn } from '../../http/concurrency';
import { MaxunFault, recover } from '../../http/fault';
import { path, withoutEmpty, withoutUndefined } from '../../http/request';
import { SECOND } from '../../http/time';
import { order } from '../dates';
import { AnyEntry, AnyObject } from '../entities';
import { listStoredRobots, readStoredRobot, robotOf, updateStoredRobot } from '../sdk/storedRobot';
import { toSchedule } from '../sdk/translate';
import {
	WEBHOOKS_PER_ROBOT,
	type ServerConnection,
	type ServerParts,
	type WebhookFields,
} from '../types';

const diffPath = (robotId: string, runId: string) =>
	path`/sdk/robots/${robotId}/runs/${runId}/diff`;

export const monitoring = (api: ServerConnection): ServerParts['monitoring'] => ({
	async get(robotId) {
		const { recording_meta } = await readStoredRobot(api, robotId);
		if (recording_meta.compareRuns === undefined) await checkMonitoringSupport(api);
		return { compareRuns: recording_meta.compareRuns === true };
	},
	async getDiff(runId, format, robotId) {
		if (!robotId)
			throw new MaxunFault('No robot selected', 'Select the robot that the run belongs to');
		return await api.get(diffPath(robotId, runId), AnyEntry, withoutEmpty({ format }));
	},
	async update(robotId, { compareRuns }) {
		await checkMonitoringSupport(api);
		const { recording_meta } = await updateStoredRobot(api, robotId, { meta: { compareRuns } });
		return { compareRuns: recording_meta.compareRuns === true };
	},
});

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Earlier versions accept the setting and ignore it, but lack the route for diffs. */
export async function checkMonitoringSupport(api: ServerConnection): Promise<void> {
	// A server with this route responds that it doesn't find the run.
	await recover(api.get(diffPath(NO_ID, NO_ID), AnyObject), { notFound: () => undefined });
}

// Earlier servers have no routes for schedules, but store the schedule with the robot.

/** The server requires these fields, which users may leave empty. */
const SCHEDULE_DEFAULTS = { startFrom: 'SUNDAY', atTimeStart: '00:00', atTimeEnd: '23:59' };

const scheduleOf = (robotId: string) => path`/robots/${robotId}/schedule`;

export const schedules = (api: ServerConnection): ServerParts['schedules'] => ({
	async delete(robotId) {
		await recover(api.delete(scheduleOf(robotId)), {
			missingRoute: async () => void (await updateStoredRobot(api, robotId, { schedule: null })),
		});
	},
	get: async (robotId) =>
		await recover(api.get(scheduleOf(robotId), AnyEntry.nullable()), {
			async missingRoute() {
				const { schedule } = await readStoredRobot(api, robotId);
				return schedule ? toSchedule(schedule) : null;
			},
		}),
	async list() {
		const scheduled = (await listStoredRobots(api)).filter(({ schedule }) => schedule);
		const nextRun = ({ schedule }: (typeof scheduled)[number]) => order(schedule?.nextRunAt);
		return scheduled
			.sort((a, b) => nextRun(a) - nextRun(b))
			.map((stored) => robotOf(stored, api.timezone));
	},
	async set(robotId, { dayOfMonth, ...settings }) {
		const day = dayOfMonth === undefined ? {} : { dayOfMonth: String(dayOfMonth) };
		const body: IDataObject = { ...SCHEDULE_DEFAULTS, ...withoutEmpty(settings), ...day };
		return await recover(api.post(scheduleOf(robotId), AnyEntry, body), {
			async missingRoute() {
				const { schedule } = await updateStoredRobot(api, robotId, { schedule: body });
				return toSchedule(schedule ?? body);
			},
		});
	},
});

/** The server doesn't set defaults, or send anything to inactive webhooks. */
const WEBHOOK_DEFAULTS = {
	events: ['run_completed', 'run_failed'],
	active: true,
	retryAttempts: 3,
	retryDelay: 5,
	timeout: 30,
};

export const webhooks = (api: ServerConnection): ServerParts['webhooks'] => ({
	list: async (robotId) => await readWebhooks(api, robotId),
	async create(robotId, fields) {
		const webhook = { id: randomUUID(), ...WEBHOOK_DEFAULTS, ...withoutUndefined({ ...fields }) };
		await changeWebhooks(
			api,
			robotId,
			(all) => (all.every(isOther(webhook.id)) ? [...all, webhook] : all),
			(all) => checkNew(all, webhook),
		);
		return webhook;
	},
	async delete(robotId, webhookId) {
		await changeWebhooks(
			api,
			robotId,
			(all) => all.filter(isOther(webhookId)),
			(all) => find(all, webhookId),
		);
	},
	async update(robotId, webhookId, fields) {
		const changes = withoutUndefined({ ...fields });
		const changed = await changeWebhooks(
			api,
			robotId,
			(all) =>
				all.map((webhook) => (webhook.id === webhookId ? { ...webhook, ...changes } : webhook)),
			(all) => {
				find(all, webhookId);
				checkUrl(all.filter(isOther(webhookId)), fields.url);
			},
		);
		return find(changed, webhookId);
	},
});

const readWebhooks = async (api: ServerConnection, robotId: string): Promise<IDataObject[]> =>
	(await recover(readStoredRobot(api, robotId), { missingRoute: unsupported })).webhooks;

/** One change at a time reads the robot's list again, and is repeated if the server undoes it. */
async function changeWebhooks(
	api: ServerConnection,
	robotId: string,
	edit: (all: IDataObject[]) => IDataObject[],
	check: (all: IDataObject[]) => void,
): Promise<IDataObject[]> {
	return await inTurn(`${api.baseUrl} webhooks ${robotId}`, async () => {
		let all = await readWebhooks(api, robotId);
		check(all);
		for (let attempt = 1; attempt <= 3; attempt++) {
			await updateStoredRobot(api, robotId, { webhooks: edit(all) });
			// After a delivery, the server writes back the list that it read before, which may undo a change.
			await api.sleep(SECOND);
			all = await readWebhooks(api, robotId);
			if (JSON.stringify(edit(all)) === JSON.stringify(all)) return all;
		}
		throw new MaxunFault(
			`The server reverted each change to the webhooks of robot ${robotId}`,
			'It rewrites the list of webhooks after each event. Try again when the robot has no active runs',
		);
	});
}

/** Maxun Cloud checks this, but the server accepts any list. */
function checkNew(webhooks: IDataObject[], { url }: WebhookFields): void {
	if (webhooks.length >= WEBHOOKS_PER_ROBOT) {
		throw new MaxunFault(
			`The robot already has ${WEBHOOKS_PER_ROBOT} webhooks`,
			'To list the webhooks, use Webhook: Get Many. Delete those that you no longer need',
			{ status: 409 },
		);
	}
	checkUrl(webhooks, url);
}

function checkUrl(webhooks: IDataObject[], url: string | undefined): void {
	const existing = webhooks.find((webhook) => webhook.url === url);
	if (url === undefined || !existing) return;
	throw new MaxunFault(
		'The robot already has a webhook with this URL',
		`Change webhook '${String(existing.id)}' instead. Otherwise the URL gets each event twice`,
		{ status: 409 },
	);
}

const isOther = (webhookId: string) => (webhook: IDataObject) => webhook.id !== webhookId;

/** The server itself accepts any list. @throws MaxunFault if the webhook doesn't exist */
function find(webhooks: IDataObject[], webhookId: string): IDataObject {
	const found = webhooks.find(({ id }) => id === webhookId);
	if (found) return found;
	throw new MaxunFault(
		`Maxun could not find webhook '${webhookId}'`,
		'It may have been deleted. Select it from the list again',
		{ status: 404, isMaxuns: true },
	);
}

const unsupported = ({ status }: MaxunFault): never => {
	throw new MaxunFault(
		'This server version does not support registering webhooks through its API',
		'Add the URL to the robot in the dashboard instead. The Maxun Trigger shows the URL in the editor. At its end, add ?robot= and the ID of the robot',
		{ status, missingRoute: true },
	);
};
