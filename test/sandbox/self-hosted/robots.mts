import { z } from 'zod';
import { robotsOf } from '../api/lookup.mts';
import { newRobot } from '../factory.mts';
import type { Robot } from '../model.mts';
import type { World } from '../world.mts';
import { read, refusal } from './refusals.mts';
import { demandNothing, findRobot, listView } from './lookup.mts';
import type { Add, Call } from './route.mts';
import { entryAtUrl } from './sdk-workflow.mts';
import { pageUrl } from './urls.mts';
import { robotView } from './views.mts';

const duplicateBody = z.object({ targetUrl: z.string() }).strict();

export function robotRoutes(add: Add, world: World): void {
	add(['GET', '/robots', 'Failed to retrieve robots'], (call) => {
		demandNothing(call);
		const robots = listView(robotsOf(world, call.caller), call.form, robotView);
		return { statusCode: 200, messageCode: 'success', robots };
	});
	add(['GET', '/robots/:id', 'Failed to retrieve the robot'], (call) => {
		const robot = findRobot(world, call);
		return { statusCode: 200, messageCode: 'success', robot: robotView(robot) };
	});
	add(['POST', '/robots/:id/duplicate', 'Failed to duplicate robot', { status: 201 }], (call) => {
		const targetUrl = readTarget(call);
		const robot = world.add(copyOf(findRobot(world, call), targetUrl, call));
		return { statusCode: 201, messageCode: 'success', robot: robotView(robot) };
	});
}

function readTarget({ form, body }: Call): string {
	const schema = form === 'observed' ? duplicateBody.passthrough() : duplicateBody;
	const { targetUrl } = read(schema, body ?? {}, form);
	if (pageUrl(targetUrl) !== undefined) return targetUrl;
	const field = form === 'documented' ? 'targetUrl' : undefined;
	throw refusal(400, 'bad_request', 'The "targetUrl" must be a valid URL.', field);
}

/** A copy with another URL, without schedule and webhooks. The name ends with the URL's last segment. */
export function copyOf(robot: Robot, targetUrl: string, { caller, form }: Call): Robot {
	const { id: _, createdAt: __, updatedAt: ___, ...rest } = structuredClone(robot);
	const lastPart = targetUrl.split('/').filter(Boolean).pop() ?? '';
	const copy = newRobot(caller, {
		...rest,
		name: `${robot.name} (${lastPart})`,
		url: targetUrl,
		schedule: null,
		webhooks: [],
		stored: {
			meta: robot.stored.meta,
			row: {},
			workflow: robot.stored.workflow && entryAtUrl(robot.stored.workflow, targetUrl),
		},
	});
	// A real server omits the milliseconds in a copy's date.
	const createdAt =
		form === 'observed' ? copy.createdAt.replace(/\.\d+Z$/, '.000Z') : copy.createdAt;
	return { ...copy, createdAt };
}
