import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { forCleanup } from '../../http/context';
import { faultOf, MaxunFault } from '../../http/fault';
import { path, withoutUndefined } from '../../http/request';
import { MINUTE } from '../../http/time';
import { isObject } from '../../http/values';
import { about, AnyObject, listOf, type Robot } from '../entities';
import { describe } from './describe';
import type { ServerConnection } from '../types';
import { instant } from '../dates';
import { toSchedule } from './translate';
import { actionsIn, argumentOf, Workflow } from './workflow';

// Routes of Maxun's own SDK. `explain.ts` lists the versions that have them.

/** The server accepts any list of webhooks, so invalid entries are dropped. */
const StoredRobot = z.object({
	recording_meta: AnyObject.extend({
		id: z.string().min(1),
		name: z.string().catch(''),
		type: z.string().catch('extract'),
	}),
	recording: z.object({ workflow: Workflow.catch([]) }).catch({ workflow: [] }),
	schedule: AnyObject.nullish().catch(undefined),
	webhooks: z.preprocess(
		(webhooks) => (Array.isArray(webhooks) ? webhooks.filter(isObject) : []),
		z.array(AnyObject),
	),
	existing: z.boolean().optional(),
	extractionSchema: AnyObject.optional().catch(undefined),
});
export type StoredRobot = z.output<typeof StoredRobot>;

const storedAs = (robotId: string) =>
	StoredRobot.extend({ recording_meta: about(StoredRobot.shape.recording_meta, { id: robotId }) });

const robotPath = (robotId: string) => path`/sdk/robots/${robotId}`;

export const readStoredRobot = async (
	api: ServerConnection,
	robotId: string,
): Promise<StoredRobot> => await api.get(robotPath(robotId), storedAs(robotId));

export const listStoredRobots = async (api: ServerConnection): Promise<StoredRobot[]> =>
	await api.get('/sdk/robots', listOf(StoredRobot));

/** For trying selectors, or for building a robot with a language model. */
export const BUILD_TIMEOUT = 5 * MINUTE;

/** @throws MaxunFault with status 409 also if the server returns an existing robot */
export async function createStoredRobot(
	api: ServerConnection,
	route: string,
	body: IDataObject | FormData,
): Promise<StoredRobot> {
	const request = { method: 'POST', path: route, body, timeout: BUILD_TIMEOUT } as const;
	const created = await api.send(request, StoredRobot);
	const { name, id } = created.recording_meta;
	if (created.existing) throw nameTaken(name, id);
	return created;
}

export const nameTaken = (name: string, id?: string) =>
	new MaxunFault(
		`A robot named '${name}' already exists`,
		id
			? `It has the same settings or reads the same page, so Maxun returned it and ignored the settings in this node. Its ID is ${id}. Use that robot, or choose another name`
			: 'Two robots with the same name are hard to tell apart. Choose another name',
		{ status: 409 },
	);

/** Each part replaces the whole existing part, except for `meta`, which is merged. */
interface Changes extends IDataObject {
	meta?: IDataObject;
	workflow?: Workflow;
	schedule?: IDataObject | null;
	webhooks?: IDataObject[];
}

/** The server accepts nearly any value, so callers check them. */
export const updateStoredRobot = async (
	api: ServerConnection,
	robotId: string,
	changes: Changes,
): Promise<StoredRobot> =>
	await api.put(robotPath(robotId), storedAs(robotId), withoutUndefined(changes));

/** Deletes the robot if this fails. @throws MaxunFault with `mayHaveHappened` if the robot remains */
export async function completeStoredRobot(
	api: ServerConnection,
	robotId: string,
	changes: Changes,
	remains: string,
): Promise<StoredRobot> {
	return await updateStoredRobot(api, robotId, changes).catch(async (cause: unknown) => {
		// The robot exists, so the server has the routes.
		const error = cause instanceof MaxunFault ? cause.with({ missingRoute: false }) : cause;
		const left = await faultOf(api.with(forCleanup()).delete(robotPath(robotId)));
		if (!left || left.isNotFound || !(error instanceof MaxunFault)) throw error;
		throw error
			.adding(
				`${remains}. Its ID is ${robotId}. Delete it in Maxun, because the node could not: ${left.message}`,
			)
			.with({ mayHaveHappened: true, isIncomplete: true });
	});
}

/** The server returns language model keys in clear text. */
const SECRET = /(key|token|secret|password)$/i;

export function robotOf(
	{ recording_meta, recording, schedule, webhooks, extractionSchema }: StoredRobot,
	timezone: string | undefined,
): Robot {
	const { promptInstructions, isLLM, compareRuns, createdAt, updatedAt, ...meta } = recording_meta;
	const shown = Object.entries(meta).filter(
		([name, value]) =>
			name !== 'pairs' && !SECRET.test(name) && !(Array.isArray(value) && value.length === 0),
	);
	return {
		...Object.fromEntries(shown),
		...withoutUndefined({
			smartQueries: promptInstructions,
			crawlConfig: actionSettings(recording.workflow, 'crawl'),
			searchConfig: actionSettings(recording.workflow, 'search'),
			extractionSchema,
			monitoring: compareRuns === undefined ? undefined : { compareRuns },
		}),
		...(meta.type === 'extract' && describe(recording.workflow)),
		createdAt: instant(createdAt, timezone) ?? createdAt,
		updatedAt: instant(updatedAt, timezone) ?? updatedAt,
		id: meta.id,
		name: meta.name,
		type: isLLM ? 'agent' : meta.type,
		status: 'ready',
		schedule: schedule ? toSchedule(schedule) : null,
		webhooks,
	};
}

function actionSettings(workflow: Workflow, kind: string): IDataObject | undefined {
	const found = actionsIn(workflow).find(({ action }) => action === kind);
	return found && argumentOf(found);
}
