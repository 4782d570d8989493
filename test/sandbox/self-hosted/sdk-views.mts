import { z } from 'zod';
import { type Robot, type Run, type RunData, runDataSchema, type Webhook } from '../model.mts';
import type { World } from '../world.mts';
import { namedData } from './data.mts';
import { secondId } from './ids.mts';
import { screenshotsByName } from './screenshots.mts';
import { workflowOf } from './sdk-workflow.mts';
import { datesOf, observedSource, statusOf, userNumber } from './views.mts';

const NO_INTEGRATIONS = {
	google_sheet_email: null,
	google_sheet_name: null,
	google_sheet_id: null,
	google_access_token: null,
	google_refresh_token: null,
	airtable_base_id: null,
	airtable_base_name: null,
	airtable_table_name: null,
	airtable_table_id: null,
	airtable_access_token: null,
	airtable_refresh_token: null,
};

export function sdkRobotView(world: World, robot: Robot): Record<string, unknown> {
	const { stored, webhooks } = robot;
	const workflow = workflowOf(robot);
	return {
		id: secondId('robot', robot.id),
		userId: userNumber(world, robot.scope),
		recording_meta: {
			id: robot.id,
			...(robot.url !== null && { url: robot.url }),
			name: robot.name,
			type: robot.type,
			pairs: workflow.length,
			params: Object.keys(robot.params),
			formats: robot.formats,
			createdAt: robot.createdAt,
			updatedAt: robot.updatedAt,
			...(robot.smartQueries !== null && { promptInstructions: robot.smartQueries }),
			...stored.meta,
		},
		recording: { workflow },
		...NO_INTEGRATIONS,
		...stored.row,
		schedule: robot.schedule === null ? (stored.row.schedule ?? null) : scheduleView(robot),
		webhooks: webhooks.length > 0 ? webhooks.map(webhookView) : (stored.row.webhooks ?? null),
	};
}

function scheduleView({ schedule, stored }: Robot): unknown {
	const sent = z.record(z.unknown()).safeParse(stored.row.schedule).data ?? {};
	return { atTimeEnd: '23:59', ...schedule, ...sent, nextRunAt: schedule?.nextRunAt };
}

function webhookView({ sent, ...webhook }: Webhook): unknown {
	if (sent === undefined) return webhook;
	return { ...sent, ...(webhook.lastCalledAt !== null && { lastCalledAt: webhook.lastCalledAt }) };
}

/** A run in `/api/sdk` format: the server's record. Only this contains text, links and the reason for a failure. */
export function rawRunView(world: World, run: Run): Record<string, unknown> {
	const { data: _, screenshot: __, screenshots: ___, ...overrides } = run.overrides;
	return {
		id: secondId('run', run.id),
		status: statusOf(run, 'observed'),
		name: run.robotName,
		robotId: secondId('robot', run.robotId),
		robotMetaId: run.robotId,
		...datesOf(world, run),
		browserId: secondId('browser', run.id),
		interpreterSettings: {
			debug: true,
			...(run.formats && { formats: run.formats }),
			maxRepeats: 1,
			maxConcurrency: 1,
		},
		log: logOf(world, run),
		runId: run.id,
		...observedSource(world, run),
		serializableOutput: outputOf(world, run),
		binaryOutput: screenshotsByName(world, run),
		retryCount: 0,
		...(world.settings.selfHostedSdk === 'newer' && { hasChanges: run.hasChanges }),
		...overrides,
	};
}

/** The response to an execution: only the first list, and no links. */
export function executionView(world: World, run: Run): Record<string, unknown> {
	const { scrapeSchema, scrapeList, crawl, search, ...page } = outputOf(world, run);
	const contents = Object.fromEntries(
		(['text', 'markdown', 'html', 'summary'] as const).map((name) => [name, contentOf(page[name])]),
	);
	return {
		runId: run.id,
		status: run.status,
		data: {
			textData: scrapeSchema ?? {},
			listData: firstList(scrapeList),
			crawlData: firstList(crawl),
			searchData: search ?? {},
			...contents,
			promptResult: contentOf(page.promptResult) ?? null,
		},
		screenshots: Object.values(screenshotsByName(world, run)),
	};
}

/** Before its end, only a scrape robot's run has a log, and only once its browser has started. */
function logOf(world: World, run: Run): string {
	if (run.status === 'failed') return run.error ?? '';
	const robot = world.robotOf(run);
	const formats = (run.formats ?? robot?.formats ?? []).join(', ');
	const isScrape = robot?.type === 'scrape';
	if (run.status === 'success') {
		return isScrape
			? `${formats} conversion completed successfully`
			: 'Proxy settings: No proxy configured...';
	}
	return isScrape && world.runner.hasBrowser(run) ? `Converting page to: ${formats}` : '';
}

function outputOf(world: World, run: Run): Record<string, unknown> {
	const parsed = runDataSchema.safeParse(run.data).data;
	if (parsed === undefined) return {};
	const { textData, listData, crawlData, searchData } = namedData(parsed, run, world.robotOf(run));
	const captures = {
		...given('scrapeSchema', textData),
		...given('scrapeList', listData),
		...given('crawl', crawlData),
		...given('search', searchData),
	};
	return { ...captures, ...pageOf(parsed) };
}

function pageOf({ links, ...data }: RunData): Record<string, unknown> {
	const parts = (['text', 'markdown', 'html', 'summary', 'promptResult'] as const).flatMap(
		(name) => (data[name] === null ? [] : [[name, [{ content: data[name] }]]]),
	);
	const linked = links.length > 0 && { links: links.map((url) => ({ url })) };
	return { ...Object.fromEntries(parts), ...linked };
}

const given = (name: string, part: object) =>
	Object.keys(part).length > 0 ? { [name]: part } : {};

function firstList(part: unknown): unknown {
	const [list] = Object.values(z.record(z.array(z.unknown())).safeParse(part).data ?? {});
	return list ?? [];
}

function contentOf(part: unknown): string | undefined {
	const pages = z.array(z.object({ content: z.string() })).safeParse(part).data;
	return pages?.[0]?.content;
}
