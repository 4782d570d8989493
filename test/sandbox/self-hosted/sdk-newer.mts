import { z } from 'zod';
import { documentOf, PARSE_FORMATS, schemaFor } from '../api/documents.mts';
import { type Form, readForm } from '../api/form.mts';
import { ApiError } from '../errors.mts';
import { newRobot } from '../factory.mts';
import type { Robot } from '../model.mts';
import { DIFF_FORMATS, foundDiffs } from '../monitor.mts';
import type { World } from '../world.mts';
import { sdkRefusal } from './refusals.mts';
import type { Add, Call } from './route.mts';
import { namesakeOf, nameTaken } from './lookup.mts';
import { findSdkRun } from './sdk-runs.mts';
import { sdkRobotView } from './sdk-views.mts';

const FIELDS = [
	'name',
	'robotName',
	'prompt',
	'outputFormats[]',
	'llmProvider',
	'llmModel',
	'llmApiKey',
	'llmBaseUrl',
];

const diffQuery = z.object({ format: z.enum(DIFF_FORMATS).optional() });

/** Later servers' additions below `/api/sdk`: a run's diff, and robots from documents. */
export function sdkNewerRoutes(add: Add, world: World): void {
	add(
		['GET', '/sdk/robots/:id/runs/:runId/diff', 'Failed to get diff', { newer: true }],
		(call) => ({ data: diff(world, call) }),
	);
	for (const kind of ['document', 'document-parse'] as const) {
		add(
			['POST', `/sdk/robots/${kind}`, 'Failed to create robot', { newer: true, status: 201 }],
			(call) => {
				const form = refuseAsSdk(() => readForm(call.parts, FIELDS));
				const robot = refuseAsSdk(() => documentRobot(call, kind, form));
				if (namesakeOf(world, call, robot.name) !== undefined) throw nameTaken(robot.name);
				return {
					data: sdkRobotView(world, world.add(robot)),
					message: 'Robot created successfully',
				};
			},
		);
	}
}

function diff(world: World, call: Call): unknown {
	const run = findSdkRun(world, call, 'Failed to get diff');
	const { success, data: query } = diffQuery.safeParse(call.query ?? {});
	if (!success) throw sdkRefusal(400, `format must be one of: ${DIFF_FORMATS.join(', ')}`);
	const previous = world.state.runs.find(({ id }) => id === run.previousRunId);
	const { hasChanges, changedFormats } = run;
	const diffs = previous === undefined ? [] : foundDiffs(previous, run, query.format);
	return { hasChanges, changedFormats, diffs };
}

function documentRobot(
	{ caller }: Call,
	kind: 'document' | 'document-parse',
	{ file, fields }: Form,
): Robot {
	const name = fields.robotName?.[0] ?? fields.name?.[0] ?? file.filename;
	const own = { name, document: documentOf(file) };
	if (kind === 'document-parse') {
		const formats = z.array(z.enum(PARSE_FORMATS)).catch(['markdown']);
		const wanted = formats.parse(fields['outputFormats[]']);
		return newRobot(caller, { ...own, type: 'doc-parse', formats: wanted });
	}
	const [prompt = ''] = fields.prompt ?? [];
	if (prompt === '') throw sdkRefusal(400, 'Prompt is required');
	const extractionSchema = schemaFor(prompt);
	return newRobot(caller, { ...own, type: 'doc-extract', prompt, extractionSchema });
}

function refuseAsSdk<T>(action: () => T): T {
	try {
		return action();
	} catch (error) {
		if (error instanceof ApiError) throw sdkRefusal(error.status, error.message);
		throw error;
	}
}
