import { z } from 'zod';
import { PLANS } from '../accounts.mts';
import { forbidden } from '../errors.mts';
import { newRobot } from '../factory.mts';
import { robotView } from '../views.mts';
import type { World } from '../world.mts';
import { addRobot } from './create.mts';
import { monitoringFields, name, newestFirst, page, pageUrl, paging } from './fields.mts';
import { demandFreeName, findRobot, robotsOf, touchRobot } from './lookup.mts';
import type { Add } from './route.mts';

const createBody = z
	.object({
		prompt: z.string().trim().min(1, 'must not be empty'),
		url: pageUrl.optional(),
		name: name.optional(),
		deepExtraction: z.boolean().default(false),
		...monitoringFields,
	})
	.strict();

const renameBody = z.object({ name }).strict();

export function agentRoutes(add: Add, world: World): void {
	add(['PATCH', '/agents/:id', { body: renameBody }], (call) => {
		const agent = findRobot(world, call, 'agents');
		demandFreeName(world, call.caller, call.body.name, agent);
		agent.name = call.body.name;
		touchRobot(world, agent);
		return robotView(agent);
	});
	add(['GET', '/agents', { query: z.object(paging).strict() }], ({ caller, query }) => {
		const agents = robotsOf(world, caller).filter(({ type }) => type === 'agent');
		return page(newestFirst(agents), query).map(robotView);
	});
	add(['POST', '/agents', { body: createBody, status: 202 }], ({ caller, body }) => {
		const { prompt, url = null, deepExtraction, ...rest } = body;
		if (deepExtraction && !PLANS[caller.payer.plan].deepExtraction) {
			throw forbidden('"deepExtraction" needs a paid plan');
		}
		const agent = newRobot(caller, {
			type: 'agent',
			name: rest.name ?? `LLM Extract: ${prompt}`,
			status: 'creating',
			url,
			prompt,
			deepExtraction,
		});
		const view = addRobot(world, caller, agent, rest);
		world.agents.start(agent);
		return view;
	});
}
