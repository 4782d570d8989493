import { readFileSync } from 'node:fs';
import type { Format, Robot, RobotType, Run, RunData } from '../model.mts';
import { stepsOf } from '../self-hosted/sdk-workflow.mts';
import type { World } from '../world.mts';
import { answerQuestion, captureFormats, toMetadata, toText } from './content.mts';
import { crawl } from './crawler.mts';
import { extractFields, pageOf, readDocument } from './documents.mts';
import type { Page } from './fetcher.mts';
import { searchShop } from './search.mts';
import { Tab } from './tab.mts';
import { type Captured, carryOut, opensPage } from './workflow.mts';

/** The captured data so far. A canceled run keeps this data. */
export interface Harvest {
	data: RunData;
	screenshots: string[];
}

export interface Job {
	world: World;
	robot: Robot;
	run: Run;
	harvest: Harvest;
	signal: AbortSignal;
}

/**
 * Processes a run, and writes the results to `job.harvest`.
 * @throws Error with the run's error message
 */
export const work = async (job: Job): Promise<void> => await WORK[job.robot.type](job);

const WORK: Record<RobotType, (job: Job) => Promise<void>> = {
	scrape,
	extract,
	agent: extract,
	crawl: crawlSite,
	search: searchPages,
	'doc-extract': processDocument,
	'doc-parse': processDocument,
};

async function scrape(job: Job): Promise<void> {
	const { world, robot, run, harvest, signal } = job;
	const page = await world.fetcher.page(targetUrl(job), signal);
	keepPage(job, page);
	const question = run.prompt ?? robot.smartQueries;
	if (question !== null) harvest.data.promptResult = answerQuestion(question, page.body);
}

async function extract(job: Job): Promise<void> {
	const { world, robot, signal } = job;
	if (robot.stored.workflow !== null) return await carryOutWorkflow(job);
	if (robot.recipe === null) throw new Error('The robot has no recording');
	const page = await world.fetcher.page(targetUrl(job), signal);
	const tab = new Tab(world.fetcher, signal);
	tab.show(page.url, page.body);
	keep(job, await carryOut([{ what: stepsOf(robot.recipe) }], tab));
	keepPage(job, page);
}

/** A robot made from selectors, or one with a changed workflow. */
async function carryOutWorkflow(job: Job): Promise<void> {
	const { world, robot, run, signal } = job;
	const tab = new Tab(world.fetcher, signal);
	const { workflow } = robot.stored;
	const hasInputs = Object.keys({ ...robot.params, ...run.params }).length > 0;
	const start = hasInputs || !opensPage(workflow) ? targetUrl(job) : undefined;
	const captured = await carryOut(workflow, tab, start);
	keep(job, captured);
	for (const index of captured.screenshots.keys()) {
		takeScreenshots(job, ['screenshot-fullpage'], index + 1);
	}
}

function keep({ harvest }: Job, { texts, lists }: Captured): void {
	harvest.data.textData = texts;
	harvest.data.listData = Object.values(lists).flat();
	if (Object.keys(lists).length > 0) harvest.data.lists = lists;
}

function keepPage(job: Job, { body, url }: Page): void {
	Object.assign(job.harvest.data, captureFormats(body, url, formatsOf(job)));
	takeScreenshots(job, formatsOf(job));
}

/** Stores each page at once, so that a stopped crawl still has data. */
async function crawlSite(job: Job): Promise<void> {
	const { world, robot, harvest, signal } = job;
	if (robot.crawlConfig === null) throw new Error('The robot has no crawl configuration');
	const { crawlData } = harvest.data;
	const found = crawl(world.fetcher, targetUrl(job), robot.crawlConfig, signal);
	for await (const { page, depth } of found) {
		const { metadata, ...content } = visited(job, page);
		crawlData.push({
			...content,
			metadata: { ...metadata, depth },
			scrapedAt: new Date().toISOString(),
			wordCount: toText(page.body).split(/\s+/).length,
		});
		takeScreenshots(job, formatsOf(job), crawlData.length);
	}
}

/** Searches the shop. In `scrape` mode, also captures each result. */
async function searchPages(job: Job): Promise<void> {
	const { world, robot, harvest, signal } = job;
	if (robot.searchConfig === null) throw new Error('The robot has no search configuration');
	const { query, mode } = robot.searchConfig;
	const results: unknown[] = [];
	for (const { title, snippet, path } of searchShop(robot.searchConfig)) {
		const url = `${world.origin}/site/${path}`;
		const page = mode === 'scrape' && visited(job, await world.fetcher.page(url, signal));
		results.push({ title, url, snippet, ...page });
		if (mode === 'scrape') takeScreenshots(job, formatsOf(job), results.length);
	}
	harvest.data.searchData = { query, mode, results };
}

function visited(job: Job, { url, status, body }: Page) {
	const metadata = { url, sourceURL: url, statusCode: status, ...toMetadata(body) };
	return { ...captureFormats(body, url, formatsOf(job)), metadata };
}

async function processDocument(job: Job): Promise<void> {
	const { robot, harvest } = job;
	const { document, type, extractionSchema } = robot;
	if (document === null) throw new Error('The robot has no document');
	const lines = readDocument(document.filename, Buffer.from(document.content, 'base64'));
	if (type === 'doc-extract') harvest.data.documentData = extractFields(extractionSchema, lines);
	else Object.assign(harvest.data, captureFormats(pageOf(lines), 'about:blank', formatsOf(job)));
}

/** The formats in the start request, or the robot's formats. */
function formatsOf({ robot, run }: Job): Format[] {
	const { outputFormats = robot.formats } = robot.crawlConfig ?? robot.searchConfig ?? {};
	return run.formats ?? outputFormats;
}

/** The robot's or the run's URL, with the run's query parameters. */
function targetUrl({ robot, run }: Job): string {
	const { originUrl = robot.url, ...query } = { ...robot.params, ...run.params };
	if (originUrl === null) throw new Error('The robot has no URL');
	const url = new URL(String(originUrl));
	for (const [name, value] of Object.entries(query)) {
		// A default doesn't replace a parameter that the URL already has, as a copy's URL may.
		if (name in run.params || !url.searchParams.has(name)) {
			url.searchParams.set(name, String(value));
		}
	}
	return url.href;
}

/** What all screenshots show: a picture that says that it is a placeholder. */
export const PLACEHOLDER = readFileSync(new URL('placeholder.png', import.meta.url));

/** Adds the requested screenshots. `number` identifies the run's page. */
function takeScreenshots({ world, run, harvest }: Job, formats: Format[], number = 1): void {
	for (const format of formats.filter((wanted) => wanted.startsWith('screenshot'))) {
		harvest.screenshots.push(`${world.origin}/files/${run.id}-${number}-${format}.png`);
	}
}
