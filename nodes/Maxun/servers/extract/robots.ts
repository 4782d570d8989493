import { randomString } from 'n8n-workflow';
import { MaxunFault, recover } from '../../http/fault';
import { withoutUndefined } from '../../http/request';
import type { Robot } from '../entities';
import { findLost } from '../lost';
import {
	completeStoredRobot,
	createStoredRobot,
	listStoredRobots,
	readStoredRobot,
	robotOf,
	updateStoredRobot,
	type StoredRobot,
} from '../selfHosted/sdk';
import type { ServerConnection, ServerParts } from '../types';
import { changed } from './change';
import type { ExtractDefinition, ListChanges } from './definition';
import { describe } from './describe';
import { explainRefusal } from './refusal';
import {
	argumentOf,
	completed,
	draftOf,
	isCapture,
	needsCompletion,
	type Workflow,
} from './workflow';

/** How long the server may take to open the page and try the selectors, in milliseconds. */
const VALIDATION_TIMEOUT = 120_000;

/**
 * Robots made of selectors, on both kinds of server.
 *
 * @param api the routes of Maxun's SDK
 * @param checkMonitoring throws if the server would ignore the setting to compare runs
 */
export const extractRobots = (
	api: ServerConnection,
	checkMonitoring?: (api: ServerConnection) => Promise<void>,
): NonNullable<ServerParts['extractRobots']> => ({
	async create(name, definition, { compareRuns } = {}) {
		if (compareRuns) await checkMonitoring?.(api);
		const hiding = api.with({ typedTexts: textsOf(definition) });
		const created = await record(hiding, name, definition, compareRuns);
		if (!needsCompletion(definition)) return robotOf(created, api.timezone);
		const { id } = created.recording_meta;
		const workflow = completed(definition, created.recording.workflow);
		const remains = `The robot '${name}' remains in Maxun and captures nothing useful`;
		return robotOf(await completeStoredRobot(hiding, id, { workflow }, remains), api.timezone);
	},
	async describe(robotId) {
		return describe((await readStoredRobot(api, robotId)).recording.workflow);
	},
	async update(robotId, changes) {
		const stored = await readStoredRobot(api, robotId);
		checkType(robotOf(stored, api.timezone), changes);
		const workflow = changed(stored.recording.workflow, changes);
		const updated = await updateStoredRobot(api, robotId, { workflow });
		checkSaved(workflow, updated.recording.workflow);
		return robotOf(updated, api.timezone);
	},
});

/** What the robot types. A server may repeat it, perhaps as JSON. */
const textsOf = ({ steps }: ExtractDefinition): string[] =>
	steps
		.flatMap((step) => (step.action === 'type' ? [step.text] : []))
		.flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);

/** Creates the robot, or finds it if the response is lost. */
async function record(
	api: ServerConnection,
	name: string,
	definition: ExtractDefinition,
	compareRuns?: boolean,
): Promise<StoredRobot> {
	const marker = `n8n-${randomString(10)}`;
	const meta = withoutUndefined({ name, type: 'extract', compareRuns });
	const body = { meta, workflow: draftOf(definition, marker) };
	const creating = createStoredRobot(api, '/sdk/robots', body, VALIDATION_TIMEOUT);
	const explaining = recover(creating, {
		any: (fault) => {
			throw explainRefusal(fault, name, definition);
		},
	});
	const created = await recover(explaining, {
		mayHaveHappened: async (fault) => (await found(api, name, marker)) ?? lost(name, fault),
	});
	if (!created.existing) return created;
	const { id } = created.recording_meta;
	throw new MaxunFault(
		`A robot named '${name}' already exists`,
		`It reads the same page, so Maxun returned it and ignored the new settings. Its ID is ${id}. Choose another name, delete that robot, or change it with Robot: Update`,
		{ status: 409 },
	);
}

/** The robot with this name, if it is the one whose creation got no response. */
async function found(
	api: ServerConnection,
	name: string,
	marker: string,
): Promise<StoredRobot | undefined> {
	const robots = await findLost(api, async (reading) =>
		(await listStoredRobots(reading)).filter(
			({ recording, recording_meta }) =>
				recording_meta.name === name && JSON.stringify(recording.workflow).includes(marker),
		),
	);
	return robots?.[0];
}

/** @throws MaxunFault with a `remainder`, so that no caller adopts the robot, which may be incomplete */
const lost = (name: string, fault: MaxunFault): never => {
	throw fault.leaving(`A robot named '${name}' may exist in Maxun`);
};

function checkType({ name, type = '' }: Robot, changes: ListChanges): void {
	if (['extract', 'agent'].includes(type)) return;
	const [field = ''] = CHANGES.find(([, isSet]) => isSet(changes)) ?? [];
	throw new MaxunFault(
		`'${field}' does not apply to this robot`,
		`'${name}' is of type ${type}. Only robots of type extract or agent have this field. Remove the field`,
		{ status: 400 },
	);
}

/** The names of the fields that change lists, and whether each is set. */
const CHANGES: Array<[field: string, isSet: (changes: ListChanges) => boolean]> = [
	['Max Rows', ({ rowLimit }) => rowLimit !== undefined],
	['Pagination', ({ pagination }) => pagination !== undefined],
	['Pagination Selector', ({ paginationSelector }) => paginationSelector !== undefined],
	['Item Selector', ({ itemSelector }) => itemSelector !== undefined],
	['Columns', ({ columns }) => columns.length > 0],
	['Column Names', ({ columnNames }) => columnNames.length > 0],
];

/** @throws MaxunFault if the server accepted the workflow and kept another one */
function checkSaved(sent: Workflow, saved: Workflow): void {
	if (sortedText(capturesIn(sent)) === sortedText(capturesIn(saved))) return;
	throw new MaxunFault(
		'Maxun did not save the changes',
		"It accepted the changes, but the robot's lists differ from them. Change the robot in the Maxun dashboard",
	);
}

const capturesIn = (workflow: Workflow) =>
	workflow.flatMap(({ what }) => what.filter(isCapture).map(argumentOf));

/** A value as text that doesn't depend on the order of fields, which databases change. */
const sortedText = (value: unknown): string =>
	JSON.stringify(value, (_, inner: unknown) =>
		typeof inner === 'object' && inner !== null && !Array.isArray(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner,
	);
