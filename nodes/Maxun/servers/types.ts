import type { IDataObject } from 'n8n-workflow';
import type { Connection } from '../http/connection';
import type { ConnectionOptions, Protocol, Routes } from '../http/context';
import type { UploadedFile } from '../http/multipart';
import type { Sender } from '../http/sender';
import type { ReadOfRobots } from './eachRobot';
import type { ListedRun, Robot, Run, StartResponse, Webhook } from './entities';
import type { Capture, ExtractDefinition, ReadList } from './definition';

export interface ServerType {
	name: string;
	description: string;
	protocol: Protocol;
	partsOn(connection: ServerConnection): ServerParts;
	features: ReadonlySet<Feature>;
}

export type CreatableRobot = 'scrape' | 'crawl' | 'search';

/** A page of a list for the editor. The last page has no `nextOffset`. */
export interface Page<T> {
	entries: T[];
	nextOffset?: number;
}

export interface RobotLists {
	url?: string;
	lists: ReadList[];
}

export interface RobotFilter {
	q?: string;
	scheduled?: boolean;
	type?: string;
}

export interface RunFilter {
	status?: string[];
	source?: string;
	hasChanges?: boolean;
	/** A run's earliest and latest start, as ISO 8601 in UTC. */
	since?: string;
	until?: string;
}

interface EndedRunsQuery {
	robotIds: string[];
	statuses: string[];
	/** Hundreds of runs may be queued. */
	endedOnly?: boolean;
	limit: number;
	/** The earliest start of the needed runs, in epoch milliseconds. The list may omit others. `latest` finds the latest end. */
	earliestStart?: (latest: () => Promise<number>, robotId?: string) => Promise<number>;
}

export interface EndedRuns extends ReadOfRobots<Run> {
	active: Run[];
	/** The server's time, as its runs show it: the latest end, or 0. */
	latest: number;
	/** How late the list may show a run or its changed end time, in milliseconds. */
	lateness: number;
}

export interface StartOptions {
	formats?: string[];
	params?: IDataObject;
	/** Questions to answer from the page, for servers that accept them for a single run. */
	smartQueries?: string;
	/** If nobody else runs this robot, its only run is the run whose start was lost. */
	isExclusive?: boolean;
}

export interface DocumentFields {
	name?: string;
	prompt?: string;
	outputFormats?: string[];
}

export type WebhookFields = Partial<
	Pick<Webhook, 'url' | 'events' | 'active' | 'retryAttempts' | 'retryDelay' | 'timeout'>
>;

/**
 * What Maxun can do. Operations that need a part that a kind of server lacks aren't offered there. Every method throws
 * a MaxunFault if it fails. Objects without a schema are as the server sent them, in Maxun Cloud's terms.
 */
export interface ServerParts {
	account: {
		get(): Promise<IDataObject & { teams: Array<{ id: string; name: string; role?: string }> }>;
		getQueue?(): Promise<IDataObject>;
		getRateLimits?(): Promise<IDataObject[]>;
		getUsage?(): Promise<IDataObject>;
	};

	agents: {
		create(fields: IDataObject): Promise<IDataObject>;
		delete(agentId: string): Promise<void>;
		get(agentId: string): Promise<Robot>;
		list(limit: number): Promise<Robot[]>;
		listRuns(agentId: string, filter: RunFilter, limit: number): Promise<ListedRun[]>;
		rename(agentId: string, name: string): Promise<IDataObject>;
		startRun(agentId: string, options: StartOptions): Promise<StartResponse>;
	};

	extractRobots: {
		/** If this fails, no robot remains. @throws MaxunFault also if a robot has this name */
		create(
			name: string,
			definition: ExtractDefinition,
			compareRuns?: boolean,
		): Promise<IDataObject>;
		/** Never contains typed text. */
		describe(robotId: string): Promise<IDataObject>;
		readLists(robotId: string): Promise<RobotLists>;
		addField(robotId: string, capture: Capture): Promise<void>;
		/** Changes a list's selectors. @throws MaxunFault if the list has changed */
		changeList(robotId: string, before: ReadList, after: ReadList): Promise<ReadList>;
	};

	monitoring: {
		get(robotId: string): Promise<IDataObject>;
		getDiff(runId: string, format?: string, robotId?: string): Promise<IDataObject>;
		update(robotId: string, fields: IDataObject): Promise<IDataObject>;
	};

	robots: {
		create(type: CreatableRobot, fields: IDataObject): Promise<IDataObject>;
		createFromDocument(
			kind: 'extract' | 'parse',
			document: UploadedFile,
			fields: DocumentFields,
		): Promise<IDataObject>;
		delete(robotId: string): Promise<void>;
		duplicate(robotId: string, url: string, name?: string): Promise<IDataObject>;
		get(robotId: string): Promise<Robot>;
		list(filter: RobotFilter, limit: number): Promise<Robot[]>;
		page(text: string, offset: number, type?: string): Promise<Page<Robot>>;
		/** Sends one request. No other robot may have the name. */
		rename(robotId: string, name: string): Promise<unknown>;
		replaceDocument?(robotId: string, form: FormData): Promise<IDataObject>;
		update(robotId: string, fields: IDataObject): Promise<IDataObject>;
		updateDocumentPrompt?(robotId: string, prompt: string): Promise<IDataObject>;
	};

	runs: {
		/** Some servers need the run's robot. The run may still be completed later. */
		cancel(runId: string, robotId?: string): Promise<IDataObject>;
		delete?(runId: string): Promise<void>;
		/** Some servers need the robots that the run may belong to. */
		get(runId: string, robotIds: string[]): Promise<Run>;
		/** Newest first; the runs of all robots without a `robotId`. */
		list(robotId: string | undefined, filter: RunFilter, limit: number): Promise<ListedRun[]>;
		listActive?(): Promise<ListedRun[]>;
		/** Contains data only if the server can't omit it. @throws MaxunFault if none of the robots' lists can be read */
		listEnded(query: EndedRunsQuery): Promise<EndedRuns>;
		page(robotId: string | undefined, offset: number): Promise<Page<Run>>;
		/** @throws Busy if no browser is free, MaxunFault with `mayHaveHappened` if a run may have started */
		start(robotId: string, options: StartOptions): Promise<StartResponse>;
	};

	schedules: {
		delete(robotId: string): Promise<void>;
		get(robotId: string): Promise<IDataObject | null>;
		list(): Promise<IDataObject[]>;
		set(robotId: string, settings: IDataObject): Promise<IDataObject>;
	};

	webhooks: {
		create(robotId: string, fields: WebhookFields): Promise<IDataObject>;
		delete(robotId: string, webhookId: string): Promise<void>;
		list(robotId: string): Promise<IDataObject[]>;
		/** Returns the server's report, in an undocumented form. */
		test?(robotId: string, webhookId: string): Promise<unknown>;
		update(robotId: string, webhookId: string, fields: WebhookFields): Promise<IDataObject>;
	};
}

export interface MaxunServer
	extends ServerParts,
		Pick<Connection, 'baseUrl' | 'download' | 'serverTime' | 'sign' | 'sleep' | 'throwIfCanceled'>,
		Partial<Pick<Connection, 'teamId' | 'timezone'>> {
	readonly features: ReadonlySet<Feature>;
	/** Why the server can't reach a URL of n8n, phrased to follow the URL. */
	unreachable(url: string): string | undefined;
	/** The requests never wait longer than before. */
	with(options: ConnectionOptions): MaxunServer;
}

export interface ServerConnection
	extends Pick<
			Connection,
			keyof Sender | 'baseUrl' | 'concurrency' | 'maxWait' | 'serverTime' | 'sleep'
		>,
		Partial<Pick<Connection, 'languageModel' | 'timezone'>> {
	with(options: ConnectionOptions): ServerConnection;
	through(routes: Routes): ServerConnection;
}

export const WEBHOOKS_PER_ROBOT = 10;

/** Forms show the fields for a feature only where it exists. */
export type Feature =
	| 'alerts'
	| 'changesFilter'
	| 'credits'
	| 'deepExtraction'
	| 'endTime'
	| 'inputs'
	/** Overlapping runs hang, so each run should end before the next run starts. */
	| 'oneAtATime'
	| 'privateNetwork'
	| 'runQuestions'
	| 'runsByRobot'
	| 'teams';
