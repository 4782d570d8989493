import { randomUUID } from 'node:crypto';
import { type Robot, type Run, type RunData, runDataSchema, type Webhook } from './model.mts';
import type { Settings } from './settings.mts';

export function eventPayload(
	shape: Settings['deliveryShape'],
	run: Run,
	robot: Robot,
	webhook: Webhook,
): unknown {
	const timestamp = run.finishedAt ?? run.createdAt;
	if (shape === 'flat') return flatPayload(run, timestamp);
	const { runId, ...others } = camelData(run, robot);
	const data = { snake: snakeData(run, robot), camel: { runId, ...others }, camelNoId: others };
	return {
		event_type: run.status === 'success' ? 'run_completed' : 'run_failed',
		timestamp,
		webhook_id: webhook.id,
		data: data[shape],
	};
}

export function testPayload(robot: Robot, webhook: Webhook): unknown {
	const now = new Date().toISOString();
	return {
		event_type: 'webhook_test',
		timestamp: now,
		webhook_id: webhook.id,
		data: {
			robot_id: robot.id,
			run_id: randomUUID(),
			robot_name: robot.name,
			status: 'test',
			started_at: now,
			finished_at: now,
			extracted_data: { captured_texts: [{ Title: 'Sample' }], captured_lists: {}, total_rows: 1 },
			metadata: { test_mode: true },
		},
	};
}

function snakeData(run: Run, robot: Robot): Record<string, unknown> {
	const data = dataOf(run);
	return {
		robot_id: run.robotId,
		run_id: run.id,
		robot_name: run.robotName,
		status: run.status,
		started_at: run.startedAt,
		finished_at: run.finishedAt,
		...(run.status === 'failed' && { error: { message: run.error, type: 'Error' } }),
		...(data && hasRows(data) && { extracted_data: extractedData(data, robot, run) }),
		...(data?.markdown && { markdown: data.markdown }),
		...(data?.html && { html: data.html }),
		...(run.screenshots.length > 0 && { screenshot_visible: run.screenshots[0] }),
		metadata: { browser_id: run.id, user_id: 1 },
	};
}

/** The same data, with the names in the API's other responses. */
const camelData = (run: Run, robot: Robot): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(snakeData(run, robot)).map(([name, value]) => [
			name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
			value,
		]),
	);

function flatPayload(run: Run, timestamp: string): Record<string, unknown> {
	const data = dataOf(run);
	return {
		robot_id: run.robotId,
		run_id: run.id,
		robot_name: run.robotName,
		timestamp,
		data: data?.listData ?? [],
		metadata: { status: run.status, ...(run.error !== null && { error: run.error }) },
	};
}

function extractedData(data: RunData, robot: Robot, run: Run): Record<string, unknown> {
	const texts = Object.keys(data.textData).length > 0 ? [data.textData] : [];
	const name = robot.recipe?.list?.name ?? 'list_0';
	return {
		captured_texts: texts,
		captured_lists: data.listData.length > 0 ? { [name]: data.listData } : {},
		total_rows: texts.length + data.listData.length,
		captured_texts_count: texts.length,
		captured_lists_count: data.listData.length,
		screenshots_count: run.screenshots.length,
	};
}

function hasRows(data: RunData): boolean {
	return data.listData.length > 0 || Object.keys(data.textData).length > 0;
}

const dataOf = (run: Run): RunData | undefined => runDataSchema.safeParse(run.data).data;
