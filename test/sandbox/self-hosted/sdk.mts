import { z } from 'zod';
import { robotsOf } from '../api/lookup.mts';
import { eraseRobot } from '../api/robots.mts';
import type { World } from '../world.mts';
import { sdkRefusal } from './refusals.mts';
import { robotAt } from './lookup.mts';
import { copyOf } from './robots.mts';
import type { Add, Call } from './route.mts';
import { findSdkRobot } from './sdk-runs.mts';
import { updateRobot } from './sdk-update.mts';
import { sdkRobotView } from './sdk-views.mts';
import { pageUrl } from './urls.mts';

const UNLIMITED = 999_999;

export function sdkRoutes(add: Add, world: World): void {
	add(['GET', '/sdk/status', 'Failed to get status'], ({ caller }) => ({
		email: caller.account.email,
		plan: 'OSS',
		credits: UNLIMITED,
	}));
	add(['GET', '/sdk/robots', 'Failed to list robots'], ({ caller }) => ({
		data: robotsOf(world, caller).map((robot) => sdkRobotView(world, robot)),
	}));
	add(['GET', '/sdk/robots/:id', 'Failed to get robot'], (call) => ({
		data: sdkRobotView(world, findSdkRobot(world, call)),
	}));
	add(['PUT', '/sdk/robots/:id', 'Failed to update robot'], (call) => {
		const found = findSdkRobot(world, call);
		updateRobot(world, found, call.body);
		return { data: sdkRobotView(world, found), message: 'Robot updated successfully' };
	});
	add(['DELETE', '/sdk/robots/:id', 'Failed to delete robot'], (call) => {
		eraseRobot(world, findSdkRobot(world, call));
		return { message: 'Robot deleted successfully' };
	});
	add(['POST', '/sdk/robots/:id/duplicate', 'Failed to duplicate robot', { status: 201 }], (call) =>
		duplicate(world, call),
	);
}

/** A real server reads only the URL, so a name has no effect. */
function duplicate(world: World, call: Call): unknown {
	const { targetUrl } = z.record(z.unknown()).safeParse(call.body).data ?? {};
	if (!targetUrl) throw sdkRefusal(400, 'The "targetUrl" field is required.');
	const url = pageUrl(targetUrl);
	if (url === undefined) throw sdkRefusal(400, 'The "targetUrl" must be a valid URL.');
	const robot = robotAt(world, call);
	if (robot === undefined)
		throw sdkRefusal(404, `Robot with ID "${call.params.id ?? ''}" not found.`);
	const copy = world.add(copyOf(robot, url, call));
	return { data: sdkRobotView(world, copy), message: 'Robot duplicated successfully' };
}
