import type { IDataObject } from 'n8n-workflow';
import type { Connection, ConnectionOptions } from '../http/connection';
import type { ReadOfRobots } from './eachRobot';
import type { Robot, Run, StartResponse } from './entities';

/** The hosted service with its API v1, or a server that people host themselves. */
export type ServerKind = 'cloud' | 'selfHosted';

/** Types of robots that are created from settings. */
export type CreatableRobot = 'scrape' | 'crawl' | 'search';

/** A part of a list for the editor, and where the next one starts; undefined for the last one. */
export interface Page<T> {
	entries: T[];
	nextOffset?: number;
}

export interface RobotFilter {
	/** Text in the name. */
	q?: string;
	scheduled?: boolean;
	type?: string;
}

export interface RunFilter {
	status?: string[];
	source?: string;
	hasChanges?: boolean;
	/** First and last start of a run, as ISO 8601 in UTC. */
	since?: string;
	until?: string;
}

/** Which runs that have ended a trigger asks for. */
export interface EndedRunsQuery {
	/** All robots if empty. */
	robotIds: string[];
	/** Final statuses, such as `success`. */
	statuses: string[];
	/** Number of runs that are enough, the latest ones. */
	limit: number;
	/** Runs that started earlier may be missing; ISO 8601. */
	since?: string;
}

export interface StartOptions {
	formats?: string[];
	/** Values for the robot's inputs. */
	params?: IDataObject;
	/** Until when to wait for a free slot and for the run to appear, in epoch milliseconds; for servers without a queue. */
	until?: number;
	/** Milliseconds to wait before the start, for servers that need a break between runs. */
	delay?: number;
}

export interface ScheduleSettings {
	runEvery: number;
	runEveryUnit: string;
	timezone: string;
	startFrom?: string;
	atTimeStart?: string;
	atTimeEnd?: string;
	dayOfMonth?: number;
}

/** The fields of a webhook; see `Webhook` for what a server returns. */
export interface WebhookFields {
	url?: string;
	events?: string[];
	active?: boolean;
	retryAttempts?: number;
	retryDelay?: number;
	timeout?: number;
}

/**
 * What Maxun can do, whichever kind of server it is. Parts that a kind of server doesn't have are undefined; an operation
 * that needs one isn't offered there.
 *
 * Every method throws a MaxunFault for everything that isn't a success. Objects without a schema of their own are
 * returned as the server sent them, in the hosted service's terms.
 */
export interface MaxunServer {
	readonly kind: ServerKind;
	/** The root of the API. */
	readonly baseUrl: string;
	/** The team it acts for; undefined for the credential's own. */
	readonly teamId?: string;
	/** The server's IANA time zone, if its dates don't contain one and the credential does. */
	readonly timezone?: string;

	account?: {
		get(): Promise<IDataObject & { teams: Team[] }>;
		getQueue(): Promise<IDataObject>;
		getRateLimits(): Promise<IDataObject[]>;
		getUsage(): Promise<IDataObject>;
	};

	agents?: {
		create(fields: IDataObject): Promise<IDataObject>;
		delete(agentId: string): Promise<void>;
		get(agentId: string): Promise<Robot>;
		/** Newest first. */
		list(limit: number): Promise<Robot[]>;
		listRuns(agentId: string, filter: RunFilter, limit: number): Promise<Run[]>;
		page(text: string, offset: number): Promise<Page<Robot>>;
		rename(agentId: string, name: string): Promise<IDataObject>;
		startRun(agentId: string, options: StartOptions): Promise<StartResponse>;
	};

	monitoring?: {
		get(robotId: string): Promise<IDataObject>;
		/** How a run differs from the previous one, in one format or in all. */
		getDiff(runId: string, format?: string): Promise<IDataObject>;
		update(robotId: string, fields: IDataObject): Promise<IDataObject>;
	};

	robots: {
		create?(type: CreatableRobot, fields: IDataObject): Promise<IDataObject>;
		createFromDocument?(kind: 'extract' | 'parse', form: FormData): Promise<IDataObject>;
		delete?(robotId: string): Promise<void>;
		duplicate(robotId: string, url: string, name?: string): Promise<IDataObject>;
		/** Robots whose name contains a text. */
		find?(text: string, limit?: number): Promise<Robot[]>;
		get(robotId: string): Promise<Robot>;
		/** Newest first. */
		list(filter: RobotFilter, limit: number): Promise<Robot[]>;
		page(text: string, offset: number): Promise<Page<Robot>>;
		replaceDocument?(robotId: string, form: FormData): Promise<IDataObject>;
		update?(robotId: string, fields: IDataObject): Promise<IDataObject>;
		updateDocumentPrompt?(robotId: string, prompt: string): Promise<IDataObject>;
	};

	runs: {
		/** Whether overlapping runs can hang the server: a run should end before the next one starts. */
		readonly oneAtATime: boolean;
		/** Milliseconds by which a run may appear late in `listEnded`, or change its end afterwards. */
		readonly lateness: number;
		cancel?(runId: string): Promise<IDataObject>;
		delete?(runId: string): Promise<void>;
		/** The run with its data. `robotIds` are the robots it may belong to; some servers need them to find it. */
		get(runId: string, robotIds: string[]): Promise<Run>;
		/** Runs without data, newest first. */
		list(robotId: string | undefined, filter: RunFilter, limit: number): Promise<Run[]>;
		/** Queued and running runs, without data. */
		listActive?(): Promise<Run[]>;
		/**
		 * The latest runs that have ended. Robots that no longer exist have none.
		 *
		 * @throws MaxunFault with status 404 if none of the robots exists
		 */
		listEnded(query: EndedRunsQuery): Promise<ReadOfRobots<Run>>;
		page(robotId: string | undefined, offset: number): Promise<Page<Run>>;
		/** Never starts a second run in place of one that may have started. */
		start(robotId: string, options: StartOptions): Promise<StartResponse>;
	};

	schedules: {
		delete(robotId: string): Promise<void>;
		/** Null if the robot has no schedule. */
		get(robotId: string): Promise<IDataObject | null>;
		list?(): Promise<IDataObject[]>;
		/** Replaces the schedule that the robot may have. */
		set(robotId: string, settings: ScheduleSettings): Promise<IDataObject>;
	};

	webhooks: {
		create(robotId: string, fields: WebhookFields): Promise<IDataObject>;
		delete(robotId: string, webhookId: string): Promise<void>;
		list(robotId: string): Promise<IDataObject[]>;
		/** Sends a sample event. @returns what the server reports about it, in a form that isn't documented */
		test?(robotId: string, webhookId: string): Promise<unknown>;
		update(robotId: string, webhookId: string, fields: WebhookFields): Promise<IDataObject>;
	};

	/** Downloads a file; the API key is sent only to the API's own origin. */
	download(url: string): Promise<Buffer>;
	/** Rejects if the execution is cancelled meanwhile. */
	sleep(milliseconds: number): Promise<void>;
	throwIfCancelled(): void;
	/** Why the server can't send anything to a URL of this n8n, in words that follow the URL. */
	unreachable(url: string): string | undefined;
	/** The same server with other options, such as another team. */
	with(options: ConnectionOptions): MaxunServer;
	/** The same server, but a request waits no longer than this for retries and the rate limit. */
	within(milliseconds: number): MaxunServer;
	/** The same server for clean-up: its requests are sent although the execution was cancelled. */
	afterCancel(): MaxunServer;
}

/** The parts of a server: what it supports, and nothing about the connection. */
export type ServerParts = Pick<
	MaxunServer,
	'account' | 'agents' | 'monitoring' | 'robots' | 'runs' | 'schedules' | 'webhooks'
>;

/** What an implementation uses of its connection. */
export interface ServerConnection
	extends Pick<Connection, 'baseUrl' | 'send' | 'sleep' | 'throwIfCancelled'>,
		Partial<Pick<Connection, 'timezone'>> {
	/** The same connection, but requests don't wait for retries or the rate limit. */
	withoutRetries(): ServerConnection;
}

export interface Team {
	id: string;
	name: string;
	role?: string;
}

/** The largest number of webhooks that a robot can have. */
export const WEBHOOKS_PER_ROBOT = 10;
