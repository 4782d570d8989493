import { z } from 'zod';

export const ROBOT_TYPES = [
	'extract',
	'agent',
	'scrape',
	'crawl',
	'search',
	'doc-extract',
	'doc-parse',
] as const;
export const FORMATS = [
	'markdown',
	'html',
	'text',
	'links',
	'summary',
	'screenshot-visible',
	'screenshot-fullpage',
] as const;
export const RUN_STATUSES = ['queued', 'running', 'success', 'failed', 'aborted'] as const;
export const RUN_SOURCES = ['api', 'sdk', 'mcp', 'cli', 'schedule', 'dashboard'] as const;
export const WEBHOOK_EVENTS = ['run_completed', 'run_failed'] as const;
export const SCHEDULE_UNITS = ['MINUTES', 'HOURS', 'DAYS', 'WEEKS', 'MONTHS'] as const;
export const WEEKDAYS = [
	'SUNDAY',
	'MONDAY',
	'TUESDAY',
	'WEDNESDAY',
	'THURSDAY',
	'FRIDAY',
	'SATURDAY',
] as const;
export const TEAM_ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
export const CRAWL_MODES = ['domain', 'subdomain', 'path'] as const;
export const SEARCH_MODES = ['discover', 'scrape'] as const;
export const TIME_RANGES = ['day', 'week', 'month', 'year'] as const;

const timestamp = z.string();

const accountSchema = z.object({
	id: z.string(),
	key: z.string(),
	email: z.string(),
	plan: z.enum(['FREE', 'PRO']),
	credits: z.number(),
	expiresAt: timestamp,
});

const teamSchema = z.object({
	id: z.string(),
	name: z.string(),
	members: z.array(z.object({ accountId: z.string(), role: z.enum(TEAM_ROLES) })),
});

const webhookSchema = z.object({
	id: z.string(),
	url: z.string(),
	events: z.array(z.enum(WEBHOOK_EVENTS)),
	active: z.boolean(),
	retryAttempts: z.number(),
	retryDelay: z.number(),
	timeout: z.number(),
	createdAt: timestamp,
	updatedAt: timestamp,
	lastCalledAt: timestamp.nullable(),
	/** The entry as a self-hosted server received and stores it. */
	sent: z.record(z.unknown()).optional(),
});

const scheduleSchema = z.object({
	runEvery: z.number(),
	runEveryUnit: z.enum(SCHEDULE_UNITS),
	timezone: z.string(),
	atTimeStart: z.string(),
	/** Only in the self-hosted API. */
	atTimeEnd: z.string().optional(),
	startFrom: z.enum(WEEKDAYS),
	dayOfMonth: z.number(),
	cronExpression: z.string(),
	nextRunAt: timestamp,
});

export const monitoringSchema = z.object({
	compareRuns: z.boolean().default(false),
	monitoringPrompt: z.string().nullable().default(null),
	alertsEnabled: z.boolean().default(false),
	alertEmail: z.string().nullable().default(null),
});

/** A recorded robot's captures: single fields and a list of rows. */
const recipeSchema = z.object({
	fields: z.record(z.string()).nullable(),
	list: z
		.object({
			name: z.string(),
			row: z.string(),
			fields: z.record(z.string()),
			limit: z.number().optional(),
		})
		.nullable(),
});

/** What a crawl does. Missing and, on a self-hosted server, invalid settings have the default. */
export const crawlConfigSchema = z.object({
	mode: z.enum(CRAWL_MODES).catch('domain'),
	limit: z.number().catch(50),
	maxDepth: z.number().catch(3),
	includePaths: z.array(z.string()).catch([]),
	excludePaths: z.array(z.string()).catch([]),
	useSitemap: z.boolean().catch(true),
	followLinks: z.boolean().catch(true),
	respectRobots: z.boolean().catch(true),
	outputFormats: z.array(z.enum(FORMATS)).catch(['markdown']),
});

/** What a search does, with defaults like a crawl's. */
export const searchConfigSchema = z.object({
	query: z.string(),
	mode: z.enum(SEARCH_MODES).catch('discover'),
	limit: z.number().catch(10),
	filters: z
		.object({ timeRange: z.enum(TIME_RANGES).nullable().catch(null) })
		.catch({ timeRange: null }),
	outputFormats: z.array(z.enum(FORMATS)).catch(['markdown']),
});

const documentSchema = z.object({
	/** In Base64. */
	content: z.string(),
	filename: z.string(),
	contentType: z.string(),
});

/** What a self-hosted server stores as sent, even values that the rest of the model doesn't accept. */
const storedSchema = z.object({
	/** The fields of `recording_meta`. */
	meta: z.record(z.unknown()),
	/** The columns of the robot's row. */
	row: z.record(z.unknown()),
	workflow: z.array(z.unknown()).nullable(),
});

/** A robot's scope: `user:<account id>` or `team:<team id>`. */
const scope = z.string();

const paramValue = z.union([z.string(), z.number(), z.boolean()]);

export const robotSchema = z.object({
	id: z.string(),
	scope,
	/** The account that created the robot and pays for its scheduled runs. */
	accountId: z.string(),
	teamId: z.string().nullable(),
	name: z.string(),
	type: z.enum(ROBOT_TYPES),
	status: z.enum(['ready', 'creating', 'failed']).default('ready'),
	error: z.string().nullable().default(null),
	url: z.string().nullable().default(null),
	description: z.string().nullable().default(null),
	smartQueries: z.string().nullable().default(null),
	formats: z.array(z.enum(FORMATS)).default([]),
	createdAt: timestamp,
	updatedAt: timestamp,
	schedule: scheduleSchema.nullable().default(null),
	monitoring: monitoringSchema.default({}),
	webhooks: z.array(webhookSchema).default([]),
	/** Input parameters and their defaults. They become the URL's query parameters. */
	params: z.record(paramValue).default({}),
	recipe: recipeSchema.nullable().default(null),
	prompt: z.string().nullable().default(null),
	deepExtraction: z.boolean().default(false),
	extractionSchema: z.record(z.unknown()).nullable().default(null),
	crawlConfig: crawlConfigSchema.nullable().default(null),
	searchConfig: searchConfigSchema.nullable().default(null),
	document: documentSchema.nullable().default(null),
	stored: storedSchema.default({ meta: {}, row: {}, workflow: null }),
});

export const runDataSchema = z.object({
	textData: z.record(z.unknown()),
	listData: z.array(z.unknown()),
	/** The same rows by their lists' names, for the API of self-hosted servers. */
	lists: z.record(z.array(z.unknown())).optional(),
	crawlData: z.array(z.unknown()),
	searchData: z.unknown(),
	markdown: z.string().nullable(),
	html: z.string().nullable(),
	text: z.string().nullable(),
	summary: z.string().nullable(),
	links: z.array(z.string()),
	promptResult: z.string().nullable(),
	documentData: z.unknown(),
});

export const runSchema = z.object({
	id: z.string(),
	robotId: z.string(),
	robotName: z.string(),
	scope,
	status: z.enum(RUN_STATUSES).default('queued'),
	source: z.enum(RUN_SOURCES).default('api'),
	/** When the run was requested. Determines the order in lists and in the queue. */
	createdAt: timestamp,
	startedAt: timestamp.nullable().default(null),
	finishedAt: timestamp.nullable().default(null),
	isPartial: z.boolean().default(false),
	hasChanges: z.boolean().default(false),
	changedFormats: z.array(z.string()).default([]),
	error: z.string().nullable().default(null),
	data: z.unknown().default(emptyData),
	screenshots: z.array(z.unknown()).default([]),
	formats: z.array(z.enum(FORMATS)).nullable().default(null),
	params: z.record(paramValue).default({}),
	/** Instructions for this run only, instead of the robot's. */
	prompt: z.string().nullable().default(null),
	/** The completed run to compare with, if monitoring is on. */
	previousRunId: z.string().nullable().default(null),
	/** Values that the model doesn't accept. They replace fields in API responses. */
	overrides: z.record(z.unknown()).default({}),
});

const deliverySchema = z.object({
	id: z.string(),
	webhookId: z.string(),
	robotId: z.string(),
	runId: z.string(),
	event: z.enum(WEBHOOK_EVENTS),
	payload: z.unknown(),
	attempts: z.number(),
	dueAt: timestamp,
});

const deliveryLogSchema = z.object({
	webhookId: z.string(),
	robotId: z.string(),
	runId: z.string(),
	event: z.string(),
	url: z.string(),
	attempt: z.number(),
	at: timestamp,
	status: z.number().optional(),
	error: z.string().optional(),
});

/** The state that survives a restart. */
export const stateSchema = z.object({
	/** The origin in the stored URLs. The sandbox updates them if its port changes. */
	origin: z.string(),
	accounts: z.array(accountSchema),
	teams: z.array(teamSchema),
	robots: z.array(robotSchema),
	runs: z.array(runSchema),
	runTotals: z.record(z.number()),
	deliveries: z.array(deliverySchema),
	deliveryLog: z.array(deliveryLogSchema),
	/** The demo shop's prices that differ from the catalogue, by product ID. */
	prices: z.record(z.number()),
});

export type Account = z.infer<typeof accountSchema>;
export type Team = z.infer<typeof teamSchema>;
export type TeamRole = (typeof TEAM_ROLES)[number];
export type Webhook = z.infer<typeof webhookSchema>;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
export type Schedule = z.infer<typeof scheduleSchema>;
export type Monitoring = z.infer<typeof monitoringSchema>;
export type Recipe = z.infer<typeof recipeSchema>;
export type CrawlConfig = z.infer<typeof crawlConfigSchema>;
export type SearchConfig = z.infer<typeof searchConfigSchema>;
export type Robot = z.infer<typeof robotSchema>;
export type RobotType = (typeof ROBOT_TYPES)[number];
export type Format = (typeof FORMATS)[number];
export type Run = z.infer<typeof runSchema>;
export type RunData = z.infer<typeof runDataSchema>;
export type Params = Run['params'];
export type Delivery = z.infer<typeof deliverySchema>;
export type DeliveryLogEntry = z.infer<typeof deliveryLogSchema>;
export type State = z.infer<typeof stateSchema>;

export function emptyData(): RunData {
	return {
		textData: {},
		listData: [],
		crawlData: [],
		searchData: null,
		markdown: null,
		html: null,
		text: null,
		summary: null,
		links: [],
		promptResult: null,
		documentData: null,
	};
}

export function isFinished(run: Run): boolean {
	return run.status !== 'queued' && run.status !== 'running';
}
