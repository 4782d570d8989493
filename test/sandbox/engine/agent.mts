import { load } from 'cheerio';
import type { Recipe, Robot } from '../model.mts';
import type { World } from '../world.mts';
import type { Fetcher } from './fetcher.mts';
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

/** Opens each row's link and adds the fields of its details table. */
export async function addDetails(
	fetcher: Fetcher,
	rows: unknown[],
	signal: AbortSignal,
): Promise<void> {
	for (const row of rows) {
		if (!isRecord(row) || typeof row.Link !== 'string') continue;
		const page = await fetcher.page(row.Link, signal);
		const $ = load(page.body);
		const description = $('meta[name="description"]').attr('content');
		if (description !== undefined) row.Description = description;
		$('tr').each((_, line) => {
			const label = $(line).find('th').text().trim();
			if (label !== '') row[label] = $(line).find('td').text().trim();
		});
	}
}

async function findPage(world: World, prompt: string, signal: AbortSignal): Promise<string> {
	const config = { query: prompt, limit: 10, filters: { timeRange: null } };
	const hits = await searchSite(world.fetcher, `${world.origin}/site/`, config, signal);
	const withRows = hits.find(({ page }) => inferRecipe(page.body, prompt) !== undefined);
	if (withRows === undefined) throw new Error('The agent found no site for the prompt; give a url');
	return withRows.page.url;
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}
