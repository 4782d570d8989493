import type { IDataObject } from 'n8n-workflow';
import { MaxunFault, recover } from '../../http/fault';
import { path, withoutUndefined } from '../../http/request';
import { isObject } from '../../http/values';
import { about, copyOf, Identified, idOf, isActive, Robot } from '../entities';
import type { RobotFilter, ServerConnection, ServerParts } from '../types';
import { createDocumentRobot, createRobot, demandFreeName, modelFor, summarizes } from './create';
import { newestFirst } from '../dates';
import { findLost } from '../lost';
import { checkMonitoringSupport } from './settings';
import { listRobots, readRuns } from './readRuns';
import {
	completeStoredRobot,
	listStoredRobots,
	readStoredRobot,
	robotOf,
	updateStoredRobot,
	type StoredRobot,
} from '../sdk/storedRobot';
import {
	actionsIn,
	isCapture,
	isConfigured,
	isVisit,
	withSettings,
	type Workflow,
} from '../sdk/workflow';

export const robots = (api: ServerConnection): ServerParts['robots'] => {
	const shown = (stored: StoredRobot) => robotOf(stored, api.timezone);
	const all = async () => {
		const stored = listStoredRobots(api).then((robots) => robots.map(shown));
		const entries = await recover(stored, {
			missingRoute: async () => await listRobots(api),
		});
		return newestFirst(entries, 'createdAt');
	};
	return {
		async create(type, fields) {
			if (fields.compareRuns) await checkMonitoringSupport(api);
			return await createRobot(api, type, fields);
		},
		createFromDocument: async (kind, document, fields) =>
			await createDocumentRobot(api, kind, document, fields),
		async delete(robotId) {
			await checkNoActiveRuns(api, robotId);
			await api.delete(path`/sdk/robots/${robotId}`);
		},
		async duplicate(robotId, url, name) {
			const before = name ? await demandFreeName(api, name) : undefined;
			const workflow = await workflowOfCopy(api, robotId, url, name);
			const route = path`/robots/${robotId}/duplicate`;
			const copying = api.post(route, copyOf(Identified, robotId), { targetUrl: url });
			const copy = await recover(copying, {
				mayHaveHappened: async (fault) => await lostCopy(api, url, before, fault),
			});
			const id = idOf(copy);
			if (!id || !(name || workflow)) return copy;
			const changes = { meta: name ? { name } : undefined, workflow };
			const remains = 'The copy remains in Maxun under another name';
			return shown(await completeStoredRobot(api, id, changes, remains));
		},
		get: async (robotId) =>
			await recover(readStoredRobot(api, robotId).then(shown), {
				missingRoute: async () =>
					await api.get(path`/robots/${robotId}`, about(Robot, { id: robotId })),
			}),
		list: async (filter, limit) => (await all()).filter(passes(filter)).slice(0, limit),
		page: async (q, _offset, type) => ({ entries: (await all()).filter(passes({ q, type })) }),
		rename: async (robotId, name) => await updateStoredRobot(api, robotId, { meta: { name } }),
		update: async (robotId, fields) => await updateRobot(api, robotId, fields),
	};
};

const passes =
	({ q, scheduled, type }: RobotFilter) =>
	(robot: Robot): boolean =>
		(!q || robot.name.toLowerCase().includes(q.toLowerCase())) &&
		(!type || robot.type === type) &&
		(scheduled === undefined || Boolean(robot.schedule) === scheduled);

/** The server would delete an active run, but its browser would continue. */
async function checkNoActiveRuns(api: ServerConnection, robotId: string): Promise<void> {
	// A robot isn't kept for runs that can never be read.
	const runs = await recover(readRuns(api, robotId), {
		any: async (fault) =>
			fault.temporary && fault.status !== 200 ? await Promise.reject(fault) : [],
	});
	const active = runs.find(isActive);
	if (!active) return;
	throw new MaxunFault(
		'Maxun cannot delete this yet',
		`Run ${active.id} is ${active.status}. Wait until it ends, or use Run: Cancel first`,
		{ status: 409 },
	);
}

/** The server chooses the name of a copy. So the lost copy is a new robot with this name that opens the page. */
async function lostCopy(
	api: ServerConnection,
	url: string,
	before: Set<string> | undefined,
	fault: MaxunFault,
): Promise<IDataObject> {
	const end = ` (${url.split('/').filter(Boolean).at(-1)})`;
	const look = async (reading: ServerConnection) =>
		(await listStoredRobots(reading)).filter((robot) => {
			const { id, name } = robot.recording_meta;
			return !before?.has(id) && name.endsWith(end) && JSON.stringify(robot).includes(url);
		});
	const found = before && (await findLost(api, look));
	if (found?.length === 1) return { id: found[0].recording_meta.id };
	throw fault
		.adding(`A copy whose name ends with '${end}' may remain in Maxun`)
		.with({ isIncomplete: true });
}

/** Maxun doesn't correctly copy a robot that opens several pages. */
async function workflowOfCopy(
	api: ServerConnection,
	robotId: string,
	url: string,
	name: string | undefined,
): Promise<Workflow | undefined> {
	const none = () => undefined;
	// Maxun itself reports a missing robot. Earlier servers choose the names of copies.
	const robot = await recover(readStoredRobot(api, robotId), {
		notFound: none,
		...(!name && { missingRoute: none }),
	});
	const workflow = robot?.recording.workflow ?? [];
	return robot && opensSeveral(workflow)
		? withDataPage(workflow, url, robot.recording_meta.name)
		: undefined;
}

/** The server accepts every field for every robot. */
const TYPE_FIELDS = {
	crawlConfig: ['Crawl Settings', 'crawl'],
	formats: ['Output Formats', 'scrape'],
	searchConfig: ['Search Settings', 'search'],
	smartQueries: ['Smart Queries', 'scrape'],
};

function checkFields(
	{ recording: { workflow } }: StoredRobot,
	{ name, type = '' }: Robot,
	fields: IDataObject,
): void {
	if (fields.url !== undefined && opensSeveral(workflow)) {
		throw new MaxunFault(
			"'URL' does not apply to this robot",
			`The robot '${name}' opens several pages, and Maxun would replace all of them. Copy the robot for another URL with Robot: Duplicate`,
			{ status: 400 },
		);
	}
	for (const [key, [field, ofType]] of Object.entries(TYPE_FIELDS)) {
		if (fields[key] === undefined || type === ofType) continue;
		throw new MaxunFault(
			`'${field}' does not apply to this robot`,
			`'${name}' is of type ${type}. Only robots of type ${ofType} have this field. Remove the field`,
			{ status: 400 },
		);
	}
}

async function updateRobot(api: ServerConnection, robotId: string, fields: IDataObject) {
	const stored = await readStoredRobot(api, robotId);
	checkFields(stored, robotOf(stored, api.timezone), fields);
	const { name, url, crawlConfig, searchConfig, smartQueries } = fields;
	const config = [crawlConfig, searchConfig].find(isObject);
	const formats = fields.formats ?? config?.outputFormats;
	if (typeof name === 'string' && name !== stored.recording_meta.name) {
		await demandFreeName(api, name);
	}
	const meta = withoutUndefined({
		name,
		url,
		formats,
		promptInstructions: smartQueries,
		...modelFor(api, smartQueries || summarizes(fields.formats), 'promptLlm'),
	});
	// Like the server itself, this also stores the formats with the settings.
	const workflow = config && withSettings(stored.recording.workflow, isConfigured, config);
	return robotOf(await updateStoredRobot(api, robotId, { meta, workflow }), api.timezone);
}

/** Maxun can't tell which of several pages a new URL should replace. */
const opensSeveral = (workflow: Workflow): boolean =>
	actionsIn(workflow).filter(isVisit).length > 1;

/** Maxun itself would replace the first page, such as a login page. */
function withDataPage(workflow: Workflow, url: string, name: string): Workflow {
	// A workflow runs from its end, so the first entry opens the last page.
	const last = workflow.findIndex(({ what }) => what.some(isVisit));
	const { what } = workflow[last];
	const visit = what.map(isVisit).lastIndexOf(true);
	const next = what.findIndex(
		({ action }, index) => index > visit && action !== 'waitForLoadState',
	);
	const isReadElsewhere = workflow.some(
		(entry, index) => index !== last && entry.what.some(isCapture),
	);
	if (isReadElsewhere || what.findIndex(isCapture) !== next || next < 0) {
		throw new MaxunFault(
			'The robot cannot be copied for another URL',
			`The robot '${name}' opens several pages, and does not read all data from the last page. Create a separate robot for each URL`,
			{ status: 400 },
		);
	}
	const changed = what.map((step, index) => (index === visit ? { ...step, args: [url] } : step));
	return workflow.map((entry, index) => (index === last ? { ...entry, what: changed } : entry));
}
