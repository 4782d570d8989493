import { z } from 'zod';
import type { Robot, Run, Webhook } from '../model.mts';
import { eventPayload } from '../payloads.mts';
import type { World } from '../world.mts';
import { secondId } from './ids.mts';
import { localDate, userNumber } from './views.mts';

export const SECOND_SHAPE_MS = 200;

const envelope = z.object({ timestamp: z.string(), data: z.record(z.unknown()) }).passthrough();

/**
 * The webhook bodies for a run, in the form from the settings. A real server uses local dates, and sends a failed run
 * twice: first in a short form, then in full.
 */
export function announcements(world: World, run: Run, robot: Robot, webhook: Webhook): unknown[] {
	const payload = eventPayload(world.settings.deliveryShape, run, robot, webhook);
	const observed = world.settings.selfHostedForm === 'observed';
	const { success, data: event } = envelope.safeParse(payload);
	if (!observed || !success) return [payload];
	const data = withoutRows(run, robot, localData(world, run, event.data));
	if (run.status !== 'failed') return [{ ...event, data }];
	const stack = `Error: ${run.error ?? ''}\n    at executeRun`;
	const full = { ...data, error: { message: run.error, stack, type: 'Error' } };
	const timestamp = new Date(Date.parse(event.timestamp) + SECOND_SHAPE_MS).toISOString();
	return [briefFailure(world, run, webhook), { ...event, timestamp, data: full }];
}

/** Only deliveries for scheduled runs contain a recorded robot's rows. */
function withoutRows(
	run: Run,
	robot: Robot,
	data: Record<string, unknown>,
): Record<string, unknown> {
	if (robot.type !== 'extract' || run.source === 'schedule') return data;
	const nothing = { captured_texts: [], captured_lists: {}, total_rows: 0 };
	return { ...data, ...('extracted_data' in data && { extracted_data: nothing }) };
}

function localData(world: World, run: Run, data: Record<string, unknown>): Record<string, unknown> {
	const local = Object.entries(data).map(([name, value]) => {
		const isDate = /^(started|finished)_?at$/i.test(name) && typeof value === 'string';
		return [name, isDate ? localDate(world, value) : value];
	});
	const metadata = {
		browser_id: secondId('browser', run.id),
		user_id: userNumber(world, run.scope),
	};
	return { ...Object.fromEntries(local), metadata };
}

function briefFailure(world: World, run: Run, webhook: Webhook): unknown {
	return {
		event_type: 'run_failed',
		timestamp: run.finishedAt ?? run.createdAt,
		webhook_id: webhook.id,
		data: {
			robot_id: run.robotId,
			run_id: run.id,
			robot_name: run.robotName,
			status: run.status,
			finished_at: localDate(world, run.finishedAt ?? run.createdAt),
			error: { message: run.error, type: 'ConversionError' },
		},
	};
}
