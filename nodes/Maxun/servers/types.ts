import type { IDataObject } from 'n8n-workflow';
import type { Connection, ConnectionOptions } from '../http/connection';
import type { UploadedFile } from '../http/multipart';
import type { ApiRequest, ResponseSchema } from '../http/request';
import type { ReadOfRobots } from './eachRobot';
import type { Robot, Run, StartResponse } from './entities';

/** The hosted service with its API v1, or a self-hosted server. */
export type ServerKind = 'cloud' | 'selfHosted';

/** Types of robots that are created from settings. */
export type CreatableRobot = 'scrape' | 'crawl' | 'search';

/** One page of a list for the editor. The last page has no `nextOffset`. */
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
	/** Earliest and latest start of a run, as ISO 8601 in UTC. */
	since?: string;
	until?: string;
}

/** Which ended runs a trigger requests. */
export interface EndedRunsQuery {
	/** All robots if empty. */
	robotIds: string[];
	/** Final statuses, such as `success`. */
	statuses: string[];
	/** Number of latest runs that are needed. */
	limit: number;
	/** Runs that started earlier may be omitted; epoch milliseconds of the server's clock. */
	since?: number;
}

/** Ended runs of several robots. */
export interface EndedRuns extends ReadOfRobots<Run> {
	/** Whether some runs of these robots haven't ended yet, according to the server. */
	hasActive: boolean;
	/** Whether a list had more than `limit` runs, so that earlier ones are missing. */
	isTruncated: boolean;
	/**
	 * The start of the earliest run that hasn't ended yet, in epoch milliseconds. Infinity if none shows its start, undefined
	 * if the server lists all runs anyway.
	 */
	earliestActive?: number;
	/** Whether some runs haven't ended yet and don't show when they started. */
	hidesStarts: boolean;
}

export interface StartOptions {
	formats?: string[];
	/** Values for the robot's inputs. */
	params?: IDataObject;
	/** Questions to answer from the page, for servers that accept them for a single run. */
	smartQueries?: string;
	/** Deadline for a free slot and for the run to appear, in epoch milliseconds. For servers without a queue. */
	until?: number;
	/** When to give up waiting for a free slot, in epoch milliseconds; the caller tries again later. */
	startBy?: number;
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

/** The fields of a new document robot. */
export interface DocumentFields {
	name?: string;
	/** The fields to extract, in plain language. */
	prompt?: string;
	outputFormats?: string[];
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
 * What Maxun can do, on either kind of server. Parts that a kind of server lacks are undefined, and operations that
 * need them aren't offered there.
 *
 * Every method throws a MaxunFault if it doesn't succeed. Methods return objects without a schema as the server sent
 * them, in the hosted service's terms.
 */
export interface MaxunServer {
	readonly kind: ServerKind;
	/** The root of the API. */
	readonly baseUrl: string;
	/** The team in use; undefined for the credential's team. */
	readonly teamId?: string;
	/** The server's IANA time zone from the credential, for dates without one. */
	readonly timezone?: string;

	account?: {
		get(): Promise<IDataObject & { teams: Team[] }>;
		getQueue?(): Promise<IDataObject>;
		getRateLimits?(): Promise<IDataObject[]>;
		getUsage?(): Promise<IDataObject>;
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
		getDiff(runId: string, format?: string, robotId?: string): Promise<IDataObject>;
		update(robotId: string, fields: IDataObject): Promise<IDataObject>;
	};

	robots: {
		create?(type: CreatableRobot, fields: IDataObject): Promise<IDataObject>;
		createFromDocument?(
			kind: 'extract' | 'parse',
			document: UploadedFile,
			fields: DocumentFields,
		): Promise<IDataObject>;
		delete?(robotId: string): Promise<void>;
		duplicate(robotId: string, url: string, name?: string): Promise<IDataObject>;
		/** Robots whose name contains a text. */
		find?(text: string, limit?: number): Promise<Robot[]>;
		get(robotId: string): Promise<Robot>;
		/** Newest first. */
		list(filter: RobotFilter, limit: number): Promise<Robot[]>;
		page(text: string, offset: number): Promise<Page<Robot>>;
		/** Moves a robot to another page. @returns false if this server version ignores the URL */
		setUrl?(robotId: string, url: string): Promise<boolean>;
		replaceDocument?(robotId: string, form: FormData): Promise<IDataObject>;
		update?(robotId: string, fields: IDataObject): Promise<IDataObject>;
		updateDocumentPrompt?(robotId: string, prompt: string): Promise<IDataObject>;
	};

	runs: {
		/** Whether overlapping runs can hang the server, so that each run should end before the next starts. */
		readonly oneAtATime: boolean;
		/** How late a run may appear in `listEnded` or change its end time, in milliseconds. */
		readonly lateness: number;
		/** How far the times of runs may be ahead of n8n's clock, in milliseconds: a server may write its local time. */
		readonly clockLead: number;
		/** Some servers need the run's robot. On a self-hosted server, the run may still succeed later. */
		cancel?(runId: string, robotId?: string): Promise<IDataObject>;
		delete?(runId: string): Promise<void>;
		/** The run with its data. `robotIds` are the robots that may own it. Some servers need them to find the run. */
		get(runId: string, robotIds: string[]): Promise<Run>;
		/** Runs without data, newest first; of all robots if there is no `robotId`. */
		list(robotId: string | undefined, filter: RunFilter, limit: number): Promise<Run[]>;
		/** Queued and running runs, without data. Undefined if one request can't list them. */
		listActive?(): Promise<Run[]>;
		/**
		 * The latest ended runs, with their data only if the server can't omit it. Skips robots that no longer exist.
		 *
		 * @throws MaxunFault with status 404 if none of the robots exists
		 */
		listEnded(query: EndedRunsQuery): Promise<EndedRuns>;
		page(robotId: string | undefined, offset: number): Promise<Page<Run>>;
		/** Never starts a second run if the first may have started. */
		start(robotId: string, options: StartOptions): Promise<StartResponse>;
	};

	schedules: {
		delete(robotId: string): Promise<void>;
		/** Null if the robot has no schedule. */
		get(robotId: string): Promise<IDataObject | null>;
		list?(): Promise<IDataObject[]>;
		/** Replaces any existing schedule. */
		set(robotId: string, settings: ScheduleSettings): Promise<IDataObject>;
	};

	webhooks: {
		create(robotId: string, fields: WebhookFields): Promise<IDataObject>;
		delete(robotId: string, webhookId: string): Promise<void>;
		list(robotId: string): Promise<IDataObject[]>;
		/** Sends a sample event. @returns the server's report, in an undocumented form */
		test?(robotId: string, webhookId: string): Promise<unknown>;
		update(robotId: string, webhookId: string, fields: WebhookFields): Promise<IDataObject>;
	};

	/** Downloads a file. Sends the API key only to the API's origin. */
	download(url: string): Promise<Buffer>;
	/** Signs text with the API key. @returns 64 hexadecimal digits */
	sign(text: string): string;
	/** Rejects if the execution is cancelled meanwhile. */
	sleep(milliseconds: number): Promise<void>;
	throwIfCancelled(): void;
	/** Why the server can't reach a URL of this n8n, phrased to follow the URL. */
	unreachable(url: string): string | undefined;
	/** The same server with other options, such as another team. */
	with(options: ConnectionOptions): MaxunServer;
	/** The same server, with a limit on how long requests wait for retries and the rate limit. */
	within(milliseconds: number): MaxunServer;
	/** The same server for cleanup: it sends requests even if the execution was cancelled. */
	afterCancel(): MaxunServer;
	/** The same server for creations and starts: a cancellation prevents them, but aborts none that was sent. */
	creating(): MaxunServer;
}

/** The parts of a server, without its connection. */
export type ServerParts = Pick<
	MaxunServer,
	'account' | 'agents' | 'monitoring' | 'robots' | 'runs' | 'schedules' | 'webhooks'
>;

/** The part of a connection that implementations use. Paths are relative to the API's root; see `path`. */
export interface ServerConnection
	extends Pick<Connection, 'baseUrl' | 'concurrency' | 'send' | 'sleep' | 'throwIfCancelled'>,
		Partial<Pick<Connection, 'languageModel' | 'timezone'>> {
	get<T>(path: string, schema: ResponseSchema<T>, query?: IDataObject): Promise<T>;
	post<T>(path: string, schema: ResponseSchema<T>, body?: ApiRequest['body']): Promise<T>;
	put<T>(path: string, schema: ResponseSchema<T>, body?: ApiRequest['body']): Promise<T>;
	patch<T>(path: string, schema: ResponseSchema<T>, body: IDataObject): Promise<T>;
	delete(path: string): Promise<void>;
	/** The same connection, with a limit on how long requests wait for retries and the rate limit. */
	within(milliseconds: number): ServerConnection;
	/** The same connection until the signal is aborted. Then requests that are under way or wait are aborted, too. */
	until(signal: AbortSignal): ServerConnection;
}

export interface Team {
	id: string;
	name: string;
	role?: string;
}

/** Maximum number of webhooks per robot. */
export const WEBHOOKS_PER_ROBOT = 10;
