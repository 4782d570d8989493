import type { Robot, Run } from './model.mts';

/** A robot's inputs. Its URL is one of them. */
export function inputsOf({ url, params }: Robot): Array<Record<string, unknown>> {
	const input = (name: string, label: string, required: boolean, value: unknown) => ({
		type: typeof value,
		name,
		label,
		required,
		defaultValue: String(value),
	});
	return [
		...(url === null ? [] : [input('originUrl', 'Origin URL', true, url)]),
		...Object.entries(params).map(([name, value]) => input(name, name, false, value)),
	];
}

export function robotView(robot: Robot): Record<string, unknown> {
	return {
		id: robot.id,
		name: robot.name,
		type: robot.type,
		status: robot.status,
		error: robot.error,
		url: robot.url,
		description: robot.description,
		smartQueries: robot.smartQueries,
		formats: robot.formats,
		teamId: robot.teamId,
		createdAt: robot.createdAt,
		updatedAt: robot.updatedAt,
		schedule: robot.schedule,
		monitoring: robot.monitoring,
		webhooks: robot.webhooks,
		...(robot.type === 'agent' && { prompt: robot.prompt, deepExtraction: robot.deepExtraction }),
		...(Object.keys(robot.params).length > 0 && { inputParameters: inputsOf(robot) }),
		...(robot.extractionSchema !== null && { extractionSchema: robot.extractionSchema }),
	};
}

export function runSummary(run: Run): Record<string, unknown> {
	const { data: _, ...rest } = runView(run);
	return rest;
}

export function runView(run: Run): Record<string, unknown> {
	return {
		id: run.id,
		robotId: run.robotId,
		robotName: run.robotName,
		status: run.status,
		source: run.source,
		startedAt: run.startedAt,
		finishedAt: run.finishedAt,
		durationMs: durationMs(run),
		isPartial: run.isPartial,
		hasChanges: run.hasChanges,
		changedFormats: run.changedFormats,
		error: run.error,
		data: dataView(run.data),
		screenshots: run.screenshots,
		...run.overrides,
	};
}

/** A run's data without the lists' names, which this API omits. */
function dataView(data: unknown): unknown {
	if (typeof data !== 'object' || data === null || !('lists' in data)) return data;
	const { lists: _, ...shown } = data;
	return shown;
}

function durationMs({ startedAt, finishedAt }: Run): number | null {
	if (startedAt === null || finishedAt === null) return null;
	return Date.parse(finishedAt) - Date.parse(startedAt);
}
