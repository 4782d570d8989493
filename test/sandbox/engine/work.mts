import type { Format, Robot, Run, RunData } from '../model.mts';
import type { World } from '../world.mts';
import { captureFormats, isScreenshot } from './capture.mts';
import { answerQuestions } from './content.mts';
import { runRecipe } from './recipe.mts';

/** What a run has captured so far; it is kept when the run is stopped early. */
export interface Harvest {
	data: RunData;
	screenshots: string[];
}

/** The circumstances of one run. */
export interface Job {
	world: World;
	robot: Robot;
	run: Run;
	harvest: Harvest;
	signal: AbortSignal;
}

/**
 * Does the work of a run and puts what it finds into `job.harvest`.
 * @throws Error whose message becomes the run's error
 */
export async function work(job: Job): Promise<void> {
	switch (job.robot.type) {
		case 'scrape':
			await scrape(job);
			break;
		case 'extract':
			await extract(job);
			break;
		default:
			throw new Error(`Robots of type ${job.robot.type} cannot be run`);
	}
}

async function scrape(job: Job): Promise<void> {
	const { world, robot, harvest, signal } = job;
	const page = await world.fetcher.page(targetUrl(job), signal);
	Object.assign(harvest.data, captureFormats(page.body, page.url, formatsOf(job)));
	if (robot.smartQueries !== null) {
		harvest.data.promptResult = answerQuestions(robot.smartQueries, page.body);
	}
	await takeScreenshots(job, page.url);
}

async function extract(job: Job): Promise<void> {
	const { world, robot, harvest, signal } = job;
	if (robot.recipe === null) throw new Error('The robot has no recording');
	const page = await world.fetcher.page(targetUrl(job), signal);
	Object.assign(harvest.data, runRecipe(robot.recipe, page.body, page.url));
	Object.assign(harvest.data, captureFormats(page.body, page.url, formatsOf(job)));
	await takeScreenshots(job, page.url);
}

/** The formats of a run: those asked for at its start, or the robot's. */
export function formatsOf({ robot, run }: Job): Format[] {
	return run.formats ?? robot.formats;
}

/** The robot's page, with the run's parameters as query values. */
export function targetUrl({ robot, run }: Job): string {
	if (robot.url === null) throw new Error('The robot has no URL');
	const url = new URL(robot.url);
	for (const [name, value] of Object.entries({ ...robot.params, ...run.params })) {
		url.searchParams.set(name, String(value));
	}
	return url.href;
}

/** Takes the screenshots a run asks for and keeps them under `/files/`. */
export async function takeScreenshots(job: Job, url: string): Promise<void> {
	const { world, run, harvest, signal } = job;
	for (const format of formatsOf(job).filter(isScreenshot)) {
		const image = await world.screenshots.take(url, format === 'screenshot-fullpage', signal);
		const name = `${run.id}-${format}.png`;
		await world.files.put(name, image);
		harvest.screenshots.push(`${world.origin}/files/${name}`);
	}
}
