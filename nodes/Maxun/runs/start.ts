import type { IDataObject } from 'n8n-workflow';
import { randomString } from 'n8n-workflow';
import { idOf, Reply, StartedRun, type Robot } from '../api/entities';
import { MaxunFault } from '../api/fault';
import type { ApiRequest } from '../api/request';
import { getRobots, Robots } from '../api/robots';
import { startRun } from '../api/runs';
import type { Api, Started } from '../core/operation';
import { discard } from './temporary';

/** Sends the request that starts a run of a robot or an agent. It is never sent twice for one item. */
export async function started(api: Api, robotId: string, request: ApiRequest): Promise<Started> {
	const answer = await api.call(request, StartedRun);
	return { runId: answer.id, robotId, answer };
}

/** A name that no other robot has, and that tells a user of Maxun where the robot comes from. */
export const temporaryName = (what: string) => `${PREFIX} ${what} ${randomString(10)}`;

const PREFIX = 'n8n';

/** The latest robots whose names are such. */
export async function temporaryRobots(api: Api): Promise<Robot[]> {
	const robots = await api.call({ ...getRobots, query: { q: PREFIX, limit: 100 } }, Robots);
	return robots.filter(({ name }) => /^n8n [a-z]+ \w{10}$/.test(name));
}

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

/**
 * Makes a robot and starts it. Where the start does not come about, the robot is deleted again.
 *
 * Both requests go out even if the execution is cancelled meanwhile: cut off halfway, they would leave behind what
 * nobody knows of.
 */
export async function startTemporary(api: Api, temporary: Temporary): Promise<Started> {
	const { kind, keep, ready, fields } = temporary;
	const lasting = api.afterwards();
	const robotId = await createdId(lasting, temporary);
	const start = async () => {
		await ready?.(robotId);
		api.throwIfCancelled();
		const request = startRun(kind === 'agent' ? 'agents' : 'robots', robotId, {});
		return await started(lasting, robotId, request);
	};
	const run = await start().catch(async (error: unknown) => {
		const left = await discard({ api, robotId, temporary: kind });
		throw left && error instanceof MaxunFault ? error.adding(left) : error;
	});
	return { ...run, fields, temporary: keep ? undefined : kind };
}

/** Milliseconds before each look for a robot whose creation was not answered; a gateway gives up before the service. */
const LOOKS = [0, 3_000, 7_000];

/** Creates the robot. Where the answer names no id, or is lost, the robot is found by its name, which no other has. */
async function createdId(api: Api, { create, name }: Temporary): Promise<string> {
	let lost: MaxunFault | undefined;
	const id = await api.call(create, Reply).then(idOf, (error: unknown) => {
		if (!(error instanceof MaxunFault && error.uncertain)) throw error;
		lost = error;
		return undefined;
	});
	if (id) return id;
	for (const pause of LOOKS) {
		await api.sleep(pause);
		const named = { ...getRobots, query: { q: name } };
		const found = await api.call(named, Robots).catch(() => []);
		const robot = found.find((candidate) => candidate.name === name);
		if (robot) return robot.id;
	}
	const fault =
		lost ??
		new MaxunFault(
			'Maxun did not say which robot it has created',
			'The robot does not show in the list either',
		);
	throw fault.adding(`A robot '${name}' may be left in Maxun`);
}
