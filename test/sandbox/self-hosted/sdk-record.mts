import { z } from 'zod';
import { planAgent } from '../engine/agent.mts';
import { Tab } from '../engine/tab.mts';
import { messageOf } from '../errors.mts';
import { newRobot } from '../factory.mts';
import type { Recipe, Robot } from '../model.mts';
import type { World } from '../world.mts';
import { sdkRefusal } from './refusals.mts';
import type { Add, Call } from './route.mts';
import { namesakeOf, nameTaken } from './lookup.mts';
import { validated } from './sdk-validation.mts';
import { pairsOf, reordered, workflowOf } from './sdk-workflow.mts';
import { pageUrl } from './urls.mts';

const NAME_LENGTH = 50;

interface Recorded {
	name: string;
	type: unknown;
	workflow: unknown;
}

export async function recordRobot(
	world: World,
	{ caller, signal }: Call,
	{ name, type, workflow: sent }: Recorded,
): Promise<Robot> {
	if (Array.isArray(sent) && sent.length === 0) throw invalid(['Workflow is empty']);
	const pairs = pairsOf(sent);
	const url = pageUrl(pairs?.map(({ where }) => where?.url).find((page) => page !== 'about:blank'));
	if (pairs === undefined || url === undefined) throw invalid(['No valid URL found in workflow']);
	const tab = new Tab(world.fetcher, signal);
	await tab.open(url).catch((error: unknown) => {
		throw invalid([`page.goto: ${messageOf(error)}${CALL_LOG}`]);
	});
	const errors: string[] = [];
	const workflow = pairs.map(({ what, ...pair }) => ({
		...pair,
		what: validated(what, tab, errors),
	}));
	if (errors.length > 0) throw invalid(errors);
	const robot = newRobot(caller, { type: 'extract', name, url });
	robot.stored.workflow = reordered(workflow);
	if (type !== 'extract') robot.stored.meta.type = type;
	return robot;
}

/** Playwright's colors, which a real server doesn't remove. */
const CALL_LOG =
	'\nCall log:\n\u001b[2m  - navigating, waiting until "domcontentloaded"\u001b[22m\n';

const invalid = (details: string[]) => sdkRefusal(400, 'Workflow validation failed', { details });

const promptBody = z.object({
	prompt: z.string().optional(),
	url: z.string().optional(),
	robotName: z.string().optional(),
	llmProvider: z.unknown(),
	llmApiKey: z.unknown(),
	llmBaseUrl: z.unknown(),
});

/** The route that creates a robot from a prompt. The response doesn't reveal whether a language model was used. */
export function sdkPromptRoutes(add: Add, world: World): void {
	add(
		['POST', '/sdk/extract/llm', 'Failed to perform LLM extraction'],
		async (call) => await recordFromPrompt(world, call),
	);
}

async function recordFromPrompt(world: World, call: Call): Promise<unknown> {
	const body = promptBody.safeParse(call.body ?? {}).data;
	if (!body?.prompt) throw sdkRefusal(400, 'Prompt is required');
	const { prompt, url: page } = body;
	if (page && pageUrl(page) === undefined) throw sdkRefusal(400, 'Invalid URL format');
	const name = body.robotName || `LLM Extract: ${prompt.slice(0, NAME_LENGTH)}`;
	const url = pageUrl(page) ?? null;
	const robot = newRobot(call.caller, { type: 'extract', name, url, prompt });
	const plan = await planAgent(world, robot, call.signal).catch((error: unknown) => {
		const reason = messageOf(error);
		throw sdkRefusal(400, 'Failed to generate workflow from prompt', { details: [reason] });
	});
	if (namesakeOf(world, call, name) !== undefined) throw nameTaken(name);
	const usesModel = Boolean(body.llmApiKey ?? body.llmBaseUrl ?? body.llmProvider);
	robot.url = plan.url;
	robot.recipe = usesModel ? plan.recipe : withoutModel(plan.recipe);
	robot.stored.meta.isLLM = true;
	world.add(robot);
	const workflow = workflowOf(robot);
	const data = { robotId: robot.id, name, description: prompt, url: robot.url, workflow };
	return { success: true, data };
}

/** Without a language model, the server numbers the columns. */
function withoutModel({ fields, list }: Recipe): Recipe {
	if (list === null) return { fields, list };
	const paths = Object.values(list.fields).map((path, index) => [`Label ${index + 1}`, path]);
	return { fields, list: { ...list, name: 'List 1', fields: Object.fromEntries(paths) } };
}
