import type { Recipe, Robot } from '../model.mts';
import type { World } from '../world.mts';
import { inferRecipe } from './repeats.mts';
import { searchSite } from './search.mts';

/** The result of building an agent. */
export interface AgentPlan {
	url: string;
	recipe: Recipe;
}

/**
 * Builds an agent from its prompt: finds the page if the prompt has no URL, then its rows.
 * @throws Error with the reason for the failure
 */
export async function planAgent(
	world: World,
	robot: Robot,
	signal: AbortSignal,
): Promise<AgentPlan> {
	const prompt = robot.prompt ?? '';
	if (/\bimpossible\b/i.test(prompt)) {
		throw new Error('The agent could not work out how to extract what the prompt asks for');
	}
	const url = robot.url ?? (await findPage(world, prompt, signal));
	const page = await world.fetcher.page(url, signal);
	const recipe = inferRecipe(page.body, prompt);
	if (recipe === undefined) throw new Error(`Nothing on ${url} repeats, so there are no rows`);
	return { url, recipe };
}

async function findPage(world: World, prompt: string, signal: AbortSignal): Promise<string> {
	const config = { query: prompt, limit: 10, filters: { timeRange: null } };
	const hits = await searchSite(world.fetcher, `${world.origin}/site/`, config, signal);
	const withRows = hits.find(({ page }) => inferRecipe(page.body, prompt) !== undefined);
	if (withRows === undefined) throw new Error('The agent found no site for the prompt; give a url');
	return withRows.page.url;
}
