import type { IDataObject } from 'n8n-workflow';
import { randomUUID } from 'crypto';
import { z } from 'zod';
import { Robot, Webhook } from '../api/entities';
import { MaxunFault } from '../api/fault';
import type { Call } from '../api/request';
import { getRobot } from '../api/robots';
import { getStoredRobot, StoredRobot, updateStoredRobot } from '../api/selfHosted/sdk';
import type { Dialect } from '../api/service';
import {
	createWebhook,
	deleteWebhook,
	getWebhooks,
	readTestAnswer,
	testWebhook,
	updateWebhook,
	Webhooks,
	type TestOutcome,
} from '../api/webhooks';
import { inTurn } from '../core/concurrency';

/** The webhooks of robots, as an API lets them be changed. */
export interface Registry {
	list(robotId: string): Promise<Webhook[]>;
	/** @returns the webhook where the answer shows it */
	create(robotId: string, fields: IDataObject): Promise<Webhook | undefined>;
	update(robotId: string, id: string, fields: IDataObject): Promise<void>;
	remove(robotId: string, id: string): Promise<void>;
	/** Has a sample delivery sent. */
	test(robotId: string, id: string): Promise<TestOutcome>;
}

const cloud = (call: Call): Registry => ({
	list: async (robotId) => await call(getWebhooks(robotId), Webhooks),
	async create(robotId, fields) {
		const created = Webhook.safeParse(await call(createWebhook(robotId, fields), z.unknown()));
		return created.success && created.data.id !== '' ? created.data : undefined;
	},
	async update(robotId, id, fields) {
		await call(updateWebhook(robotId, id, fields), z.unknown());
	},
	async remove(robotId, id) {
		await call(deleteWebhook(robotId, id), z.unknown());
	},
	test: async (robotId, id) =>
		await call(testWebhook(robotId, id), z.unknown()).then(readTestAnswer, (fault: unknown) => {
			if (!(fault instanceof MaxunFault)) throw fault;
			const { transient, uncertain, description: detail } = fault;
			// A question whose answer was lost tells nothing about who was reached.
			return transient || uncertain ? { detail } : readTestAnswer({ error: detail });
		}),
});

/**
 * A self-hosted server takes the webhooks of a robot as one list. It is read anew before each change, and this n8n
 * makes one change at a time, so that webhooks of others stay what they are.
 */
const selfHosted = (call: Call, server: string): Registry => {
	const read = async (robotId: string) => {
		const { webhooks } = await call(getStoredRobot(robotId), StoredRobot).catch(
			async (fault: unknown) => await withAdvice(fault, call, robotId),
		);
		return webhooks ?? [];
	};
	const change = async (robotId: string, edit: (webhooks: IDataObject[]) => IDataObject[]) =>
		await inTurn(`${server} webhooks ${robotId}`, async () => {
			const webhooks = edit(await read(robotId));
			await call(updateStoredRobot(robotId, { webhooks }), StoredRobot);
		});
	return {
		list: async (robotId) => Webhooks.parse(await read(robotId)),
		async create(robotId, fields) {
			const webhook = { id: randomUUID(), ...fields };
			await change(robotId, (webhooks) => [...webhooks, webhook]);
			return Webhook.parse(webhook);
		},
		async update(robotId, id, fields) {
			await change(robotId, (webhooks) =>
				webhooks.map((webhook) => (webhook.id === id ? { ...webhook, ...fields } : webhook)),
			);
		},
		async remove(robotId, id) {
			await change(robotId, (webhooks) => webhooks.filter((webhook) => webhook.id !== id));
		},
		test: async () => ({ detail: 'the server cannot be asked for a sample' }),
	};
};

/**
 * Tells a server that has no such route from one that does not know the robot.
 *
 * @throws MaxunFault in any case
 */
async function withAdvice(fault: unknown, call: Call, robotId: string): Promise<never> {
	if (!(fault instanceof MaxunFault) || fault.status !== 404) throw fault;
	const isRobotThere = async () =>
		await call(getRobot(robotId), Robot).then(
			() => true,
			() => false,
		);
	if (!fault.missingRoute && !(await isRobotThere())) throw fault;
	throw new MaxunFault(
		"this server's version lets nobody register webhooks through its API",
		'Set Registration to In the Dashboard and add the address there, or use the Maxun Polling Trigger',
		{ status: fault.status, missingRoute: true },
	);
}

export const registries: Record<Dialect, (call: Call, server: string) => Registry> = {
	cloud,
	selfHosted,
};
