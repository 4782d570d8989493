import type { IDataObject } from 'n8n-workflow';
import { randomString } from 'n8n-workflow';
import { idOf, listOf, Reply, Robot, StartedRun } from '../api/entities';
import { MaxunFault } from '../api/fault';
import type { ApiRequest } from '../api/request';
import { startRun } from '../api/runs';
import type { Api, Started } from '../core/operation';
import { discard } from './temporary';

/** Sends the request that starts a run of a robot or an agent. It is never sent twice for one item. */
export async function started(api: Api, robotId: string, request: ApiRequest): Promise<Started> {
	const answer = await api.call(request, StartedRun);
	return { runId: answer.id, robotId, answer };
}

/** A name that no other robot has, and that tells a user of Maxun where the robot comes from. */
export const temporaryName = (what: string) => `n8n ${what} ${randomString(10)}`;

/** A robot that is made for one run. */
interface Temporary {
	kind: 'robot' | 'agent';
	name: string;
	/** Keeps the robot after the run. */
	keep: boolean;
	create: ApiRequest;
	/** Fields that go in front of those of each item. */
	fields?: IDataObject;
	/** What must be before it can run. */
	ready?: (robotId: string) => Promise<unknown>;
}

/** Makes a robot and starts it. Where the start does not come about, the robot is deleted again. */
export async function startTemporary(api: Api, temporary: Temporary): Promise<Started> {
	const { kind, keep, ready, fields } = temporary;
	const robotId = await createdId(api, temporary);
	const start = async () => {
		await ready?.(robotId);
		const request = startRun(kind === 'agent' ? 'agents' : 'robots', robotId, {});
		return await started(api, robotId, request);
	};
	const run = await start().catch(async (error: unknown) => {
		const left = await discard({ api, robotId, temporary: kind });
		throw left && error instanceof MaxunFault ? error.adding(left) : error;
	});
	return { ...run, fields, temporary: keep ? undefined : kind };
}

/** Creates the robot. What the answer holds is not documented: where it names no id, the robot is found by its name. */
async function createdId(api: Api, { create, name }: Temporary): Promise<string> {
	const id = idOf(await api.call(create, Reply));
	if (id) return id;
	const found = await api.call(
		{ method: 'GET', path: '/robots', query: { q: name } },
		listOf(Robot),
	);
	const robot = found.find((candidate) => candidate.name === name);
	if (robot) return robot.id;
	throw new MaxunFault(
		'Maxun did not say which robot it has created',
		`Look for the robot '${name}' in Maxun and delete it`,
	);
}
