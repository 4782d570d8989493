import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { isHttpUrl } from '../api/fields.mts';
import { touchRobot } from '../api/lookup.mts';
import { isFinished, type Robot, type Schedule, type Webhook, WEBHOOK_EVENTS } from '../model.mts';
import { completeSchedule } from '../scheduler.mts';
import type { World } from '../world.mts';
import { read, Refusal } from './answers.mts';
import { robotAt, runAt } from './lookup.mts';
import { addRoute, type Call } from './route.mts';
import { dayText, demandRegular, scheduleFields } from './schedule-fields.mts';
import { setSchedule } from './schedules.mts';
import { abortedRunView, sdkRobotView } from './sdk-views.mts';

const scheduleBody = z
	.object({
		...scheduleFields,
		startFrom: scheduleFields.startFrom.default('SUNDAY'),
		atTimeStart: scheduleFields.atTimeStart.default('00:00'),
		atTimeEnd: scheduleFields.atTimeEnd.default('23:59'),
		dayOfMonth: z.number().int().min(1).max(31).or(dayText).default(1),
		// Clients may send both back. The server recalculates them.
		cronExpression: z.string().optional(),
		nextRunAt: z.string().optional(),
	})
	.strict()
	.superRefine(demandRegular);

const webhookBody = z
	.object({
		id: z.string().min(1).optional(),
		url: z.string().refine(isHttpUrl, 'must be an http or https URL'),
		events: z.array(z.enum(WEBHOOK_EVENTS)),
		active: z.boolean().default(false),
		retryAttempts: z.number().int().min(1).max(10).default(3),
		retryDelay: z.number().int().min(0).default(5),
		timeout: z.number().int().min(1).max(120).default(30),
		createdAt: z.string().datetime().optional(),
		updatedAt: z.string().datetime().optional(),
		lastCalledAt: z.string().datetime().nullable().default(null),
	})
	.strict();

const updateBody = z
	.object({
		schedule: scheduleBody.nullable().optional(),
		webhooks: z.array(webhookBody).nullable().optional(),
	})
	.strict();

/** Undocumented endpoints under `/api/sdk`: read and update robots, abort runs. */
export function sdkRoutes(app: FastifyInstance, world: World): void {
	const robot = { path: '/sdk/robots/:id', form: 'observed' } as const;
	addRoute(app, world, {
		...robot,
		method: 'GET',
		failure: 'Failed to retrieve robot',
		handle: (call) => ({ data: sdkRobotView(world, findRobot(world, call)) }),
	});
	addRoute(app, world, {
		...robot,
		method: 'PUT',
		failure: 'Failed to update robot',
		handle: (call) => {
			const found = findRobot(world, call);
			update(world, found, read(updateBody, call.body ?? {}, badRequest));
			return { data: sdkRobotView(world, found), message: 'Robot updated successfully' };
		},
	});
	addRoute(app, world, {
		method: 'POST',
		path: '/sdk/robots/:id/runs/:runId/abort',
		form: 'observed',
		failure: 'Failed to abort run',
		handle: (call) => abort(world, call),
	});
}

function update(world: World, robot: Robot, changes: z.infer<typeof updateBody>): void {
	const { schedule, webhooks } = changes;
	if (schedule !== undefined) setSchedule(world, robot, schedule && scheduleOf(schedule));
	if (webhooks !== undefined) robot.webhooks = (webhooks ?? []).map(webhookOf);
	touchRobot(world, robot);
}

function scheduleOf(rule: z.infer<typeof scheduleBody>): Schedule {
	const { cronExpression: _, nextRunAt: __, ...chosen } = rule;
	return completeSchedule(chosen);
}

function webhookOf(sent: z.infer<typeof webhookBody>): Webhook {
	const updatedAt = new Date().toISOString();
	return {
		...sent,
		id: sent.id ?? randomUUID(),
		createdAt: sent.createdAt ?? updatedAt,
		updatedAt,
	};
}

function abort(world: World, call: Call): unknown {
	findRobot(world, call);
	const run = runAt(world, call);
	if (run === undefined) throw new Refusal(404, { error: 'Run not found' });
	if (isFinished(run)) {
		throw new Refusal(400, { error: `Run cannot be aborted: its status is ${run.status}` });
	}
	world.runner.cancel(run);
	return { message: 'Run abortion initiated', data: abortedRunView(world, run) };
}

function findRobot(world: World, call: Call): Robot {
	const robot = robotAt(world, call);
	if (robot === undefined) throw new Refusal(404, { error: 'Robot not found' });
	return robot;
}

const badRequest = ({ message }: { message: string }) => new Refusal(400, { error: message });
