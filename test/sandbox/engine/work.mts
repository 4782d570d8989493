import type { Format, Robot, Run, RunData } from '../model.mts';
import { stepsOf } from '../self-hosted/sdk-workflow.mts';
import type { World } from '../world.mts';
import { captureFormats, isScreenshot } from './capture.mts';
import { answerQuestions } from './content.mts';
import { extractFields } from './document-fields.mts';
import { type DocumentContent, readDocument } from './documents.mts';
import { crawlSite, searchPages } from './site-work.mts';
import { Tab } from './tab.mts';
import { type Captured, carryOut, opensPage } from './workflow.mts';

/** The captured data so far. A canceled run keeps this data. */
export interface Harvest {
	data: RunData;
	screenshots: string[];
}

/** The context of one run. */
export interface Job {
	world: World;
	robot: Robot;
	run: Run;
	harvest: Harvest;
	signal: AbortSignal;
}

/**
 * Processes a run and writes the results to `job.harvest`.
 * @throws Error with the run's error message
 */
export async function work(job: Job): Promise<void> {
	switch (job.robot.type) {
		case 'scrape':
			return await scrape(job);
		case 'extract':
		case 'agent':
			return await extract(job);
		case 'crawl':
			return await crawlSite(job);
		case 'search':
			return await searchPages(job);
		case 'doc-extract':
			return await extractDocument(job);
		case 'doc-parse':
			return await parseDocument(job);
	}
}

async function scrape(job: Job): Promise<void> {
	const { world, robot, run, harvest, signal } = job;
	const page = await world.fetcher.page(targetUrl(job), signal);
	Object.assign(harvest.data, captureFormats(page.body, page.url, formatsOf(job)));
	const questions = run.prompt ?? robot.smartQueries;
	if (questions !== null) harvest.data.promptResult = answerQuestions(questions, page.body);
	await takeScreenshots(job, page.url, formatsOf(job));
}

async function extract(job: Job): Promise<void> {
	const { world, robot, harvest, signal } = job;
	if (robot.stored.workflow !== null) return await carryOutWorkflow(job);
	if (robot.recipe === null) throw new Error('The robot has no recording');
	const page = await world.fetcher.page(targetUrl(job), signal);
	const tab = new Tab(world.fetcher, signal);
	tab.show(page.url, page.body);
	keep(job, await carryOut([{ what: stepsOf(robot.recipe) }], tab));
	Object.assign(harvest.data, captureFormats(page.body, page.url, formatsOf(job)));
	await takeScreenshots(job, page.url, formatsOf(job));
}

/** A robot made of selectors, or one whose workflow was changed. */
async function carryOutWorkflow(job: Job): Promise<void> {
	const { world, robot, run, signal } = job;
	const tab = new Tab(world.fetcher, signal);
	const { workflow } = robot.stored;
	const hasInputs = Object.keys({ ...robot.params, ...run.params }).length > 0;
	const start = hasInputs || !opensPage(workflow) ? targetUrl(job) : undefined;
	const captured = await carryOut(workflow, tab, start);
	keep(job, captured);
	for (const [index, { url }] of captured.screenshots.entries()) {
		await takeScreenshots(job, url, ['screenshot-fullpage'], index + 1);
	}
}

function keep({ harvest }: Job, { texts, lists }: Captured): void {
	harvest.data.textData = texts;
	harvest.data.listData = Object.values(lists).flat();
	if (Object.keys(lists).length > 0) harvest.data.lists = lists;
}

async function extractDocument(job: Job): Promise<void> {
	const { robot, harvest } = job;
	harvest.data.documentData = extractFields(robot.extractionSchema, await openDocument(job));
}

async function parseDocument(job: Job): Promise<void> {
	const { html } = await openDocument(job);
	Object.assign(job.harvest.data, captureFormats(html, 'about:blank', formatsOf(job)));
}

async function openDocument({ world, robot }: Job): Promise<DocumentContent> {
	const { document } = robot;
	const content = document === null ? undefined : await world.files.get(document.stored);
	if (document === null || content === undefined) throw new Error('The robot has no document');
	return await readDocument(document.filename, content);
}

/** The formats from the start request, or the robot's formats. */
function formatsOf({ robot, run }: Job): Format[] {
	return run.formats ?? robot.formats;
}

/** The robot's URL, or the run's, with the run's query parameters. */
export function targetUrl({ robot, run }: Job): string {
	const { originUrl = robot.url, ...query } = { ...robot.params, ...run.params };
	if (originUrl === null) throw new Error('The robot has no URL');
	const url = new URL(String(originUrl));
	for (const [name, value] of Object.entries(query)) {
		// A default doesn't replace what the URL contains, for example that of a copy.
		if (name in run.params || !url.searchParams.has(name)) {
			url.searchParams.set(name, String(value));
		}
	}
	return url.href;
}

/** Takes the requested screenshots and stores them under `/files/`. `number` identifies the page of the run. */
export async function takeScreenshots(
	{ world, run, harvest, signal }: Job,
	url: string,
	formats: Format[],
	number = 1,
): Promise<void> {
	const { screenshots, settings } = world;
	for (const format of formats.filter(isScreenshot)) {
		const image = settings.browser
			? await screenshots.take(url, format === 'screenshot-fullpage', signal)
			: await screenshots.placeholder();
		const name = `${run.id}-${number}-${format}.png`;
		await world.files.put(name, image);
		harvest.screenshots.push(`${world.origin}/files/${name}`);
	}
}
