import type { IDataObject } from 'n8n-workflow';
import { randomUUID } from 'crypto';
import { inTurn } from '../../http/concurrency';
import { faultOf, MaxunFault, recover } from '../../http/fault';
import { path, withoutUndefined } from '../../http/request';
import { Robot } from '../entities';
import {
	WEBHOOKS_PER_ROBOT,
	type ServerConnection,
	type ServerParts,
	type WebhookFields,
} from '../types';
import { readStoredRobot, updateStoredRobot } from './sdk';

/** The server sets no defaults, and sends nothing to inactive webhooks. */
const DEFAULTS = {
	events: ['run_completed', 'run_failed'],
	active: true,
	retryAttempts: 3,
	retryDelay: 5,
	timeout: 30,
};

/** After a delivery, the server writes back the list that it read before, and so may undo a change. */
const SETTLED_AFTER = 1_000;
const ATTEMPTS = 3;

/**
 * A self-hosted server stores a robot's webhooks as one list. Each change rereads the list, and this n8n instance makes one
 * change at a time, so that other clients' webhooks stay unchanged. A change that the server undid is repeated.
 */
export const webhooks = (api: ServerConnection): ServerParts['webhooks'] => {
	const list = async (robotId: string): Promise<IDataObject[]> => {
		const missing = async (fault: MaxunFault) => await explainMissing(fault, api, robotId);
		const stored = await recover(readStoredRobot(api, robotId), {
			missingRoute: missing,
			notFound: missing,
		});
		return stored.webhooks;
	};
	const change = async (
		robotId: string,
		edit: (all: IDataObject[]) => IDataObject[],
		isDone: (all: IDataObject[]) => boolean,
	) =>
		await inTurn(`${api.baseUrl} webhooks ${robotId}`, async () => {
			let all = await list(robotId);
			for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
				await updateStoredRobot(api, robotId, { webhooks: edit(all) });
				await api.sleep(SETTLED_AFTER);
				all = await list(robotId);
				if (isDone(all)) return;
			}
			throw undone(robotId);
		});
	return {
		list,
		async create(robotId, fields) {
			const webhook = { id: randomUUID(), ...DEFAULTS, ...withoutUndefined({ ...fields }) };
			await change(
				robotId,
				(all) => {
					checkNew(all, webhook);
					return [...all, webhook];
				},
				(all) => all.some(({ id }) => id === webhook.id),
			);
			return webhook;
		},
		async delete(robotId, webhookId) {
			await change(
				robotId,
				(all) => {
					const index = indexOf(all, webhookId);
					return all.filter((_, position) => position !== index);
				},
				(all) => !all.some(({ id }) => id === webhookId),
			);
		},
		async update(robotId, webhookId, fields) {
			let updated: IDataObject = {};
			const changes = withoutUndefined({ ...fields });
			await change(
				robotId,
				(all) => {
					const index = indexOf(all, webhookId);
					const others = all.filter((_, position) => position !== index);
					if (fields.url !== undefined) checkUrl(others, fields.url);
					updated = { ...all[index], ...changes };
					return all.map((webhook, position) => (position === index ? updated : webhook));
				},
				(all) => all.some((webhook) => webhook.id === webhookId && contains(webhook, changes)),
			);
			return updated;
		},
	};
};

/** Checks what Maxun Cloud checks. The server itself accepts any list. */
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
	if (!existing) return;
	throw new MaxunFault(
		'The robot already has a webhook with this URL',
		`Change webhook '${String(existing.id)}' instead. Otherwise the URL gets each event twice`,
		{ status: 409 },
	);
}

const contains = (webhook: IDataObject, fields: IDataObject) =>
	Object.entries(fields).every(
		([name, value]) => JSON.stringify(webhook[name]) === JSON.stringify(value),
	);

const undone = (robotId: string) =>
	new MaxunFault(
		`The server reverted each change to the webhooks of robot ${robotId}`,
		'It rewrites the list of webhooks after each event. Try again when the robot has no active runs',
	);

/** @throws MaxunFault if there is no such webhook: the server itself accepts any list */
function indexOf(webhooks: IDataObject[], webhookId: string): number {
	const index = webhooks.findIndex(({ id }) => id === webhookId);
	if (index >= 0) return index;
	throw new MaxunFault(
		`Maxun could not find webhook '${webhookId}'`,
		'It may have been deleted. Select it from the list again',
		{ status: 404, isOwn: true },
	);
}

/**
 * Distinguishes a missing route from a missing robot.
 *
 * @throws MaxunFault always
 */
async function explainMissing(
	fault: MaxunFault,
	api: ServerConnection,
	robotId: string,
): Promise<never> {
	const isMissing = async () => await faultOf(api.get(path`/robots/${robotId}`, Robot));
	if (!fault.missingRoute && (await isMissing())) throw fault;
	throw new MaxunFault(
		'This server version does not support registering webhooks through its API',
		"Add the URL to the robot in the dashboard instead. In a Maxun Trigger, first set 'Registration' to 'In the Dashboard', or use the Maxun Polling Trigger",
		{ status: fault.status, missingRoute: true },
	);
}
