import type { IDataObject } from 'n8n-workflow';
import type { MaxunFault } from '../http/fault';
import type { Captured } from '../results/captured';
import type { ComparisonSettings } from '../results/comparison';
import type { Hint } from '../results/hint';
import type { RunOutput, RunReader } from '../results/types';
import type { Capture, List, ReadList } from '../servers/definition';
import type { ListedRun, Run } from '../servers/entities';
import type { RobotLists } from '../servers/types';

/** What a start with a temporary robot needs. */
export interface StartContext extends Pick<RunReader, 'maxun' | 'hint'> {
	readonly concurrency: number;
	readonly accountKey: string;
	/** The marks of the kept robots that the execution needs. */
	readonly marks: Set<string>;
	/** In epoch milliseconds; undefined if a tool waits for its result. */
	readonly returnAt?: number;
	/** Created for this run by an earlier call. */
	readonly robot?: TemporaryRobot;
	/** Called as soon as the robot exists, so that it is deleted even if something fails. */
	onCreated?(robot: TemporaryRobot): void;
	onNamed?(kind: TemporaryRobot['kind'], name: string): void;
	onLeftover(reason: string): void;
}

export interface RunContext extends RunReader, StartContext {
	readonly isLastAttempt: boolean;
	/** The lists that robots read, by robot ID. Each robot is read once. */
	readonly lists: Map<string, Promise<RobotLists>>;
}

/** What a task has to learn from a page before its own run can start, or start again. A run reads the page. */
export interface Lesson<C extends StartContext = StartContext> {
	/** Tasks with the same key share what is learned. It may contain typed texts, so only its hash is stored. */
	readonly key: string;
	/** The page's URL, for messages. */
	readonly subject?: string;
	/** Throws `Busy` if the run has to wait. */
	start(context: C, timeoutMinutes: number): Promise<StartedRun>;
	/** @throws RunFault if the page doesn't contain what is needed */
	learn(page: Captured, context: C): Promise<Omit<Learnt, 'at' | 'runId'>>;
}

/** n8n stores it with the execution. It is a few hundred bytes. */
export interface Learnt {
	/** When it was learned, in epoch milliseconds. Runs that started earlier don't have it. */
	at: number;
	/** The run that read the page; undefined if no run was needed. */
	runId?: string;
	hints: Array<Parameters<Hint>>;
	selectors?: Selectors;
	/** The rows of the page, if the server can't create a robot that reads them. */
	rows?: IDataObject[];
	repaired?: Repaired;
}

/** What the node finds on a page. `rows` are what its list contains, or what it declares. */
export type Found = Pick<Learnt, 'rows'> & Required<Pick<Learnt, 'selectors' | 'hints'>>;

/** The selectors of an extract robot with at most one list. */
export interface Selectors {
	fields: Capture[];
	list?: Pick<List, 'rowSelector' | 'columns' | 'paginationSelector'>;
}

export interface Repaired {
	changes: string;
	/** With the columns that had no values before. */
	lists: Array<{ before: ReadList; after: ReadList; empty: string[] }>;
	/** The repair didn't help, so the robot has its earlier selectors. */
	isUndone?: true;
}

export interface TemporaryRobot {
	kind: 'robot' | 'agent';
	robotId: string;
	/** It isn't deleted, because the user or the next execution wants the robot itself. */
	stays?: true;
	/** It only reads a page for a lesson. */
	isLesson?: boolean;
}

/**
 * `rows` reads what an earlier execution has learned from examples, `lists` what the node has found by itself, and
 * `watches` what it compares. `retired` was replaced by another robot.
 */
export type KeptWord = 'lists' | 'retired' | 'rows' | 'watches';

/** The purpose of a robot that is kept for the node's next executions. */
export interface Keeping {
	readonly word: KeptWord;
	readonly page: string;
	/** What the robot reads. It may contain typed texts, so only its hash is stored. */
	readonly form: string;
	/** The node has found the rows by itself. The user hasn't named the columns, so they must not change. */
	readonly isAutomatic?: boolean;
	/** Whether a password or the user's own robot may have changed since the robot was created. */
	readonly mayBeOutdated?: boolean;
	/** The user's own robot, which is copied for the page. */
	readonly copyOf?: string;
}

/** The lengths of the hashes of the node, the page and the form. */
export const MARK_PARTS = { node: 4, page: 8, form: 8 };
export const MARK_LENGTH = MARK_PARTS.node + MARK_PARTS.page + MARK_PARTS.form;

export interface KeptRobot {
	robotId: string;
	word: KeptWord;
	mark: string;
	/** When it expires, in milliseconds of the server's clock. */
	until: number;
	createdAt?: unknown;
	/** The run that the node last returned, and how many runs the robot has. */
	runId?: string;
	checks?: number;
	/** The robot that it has replaced, which still has the earlier runs. */
	formerId?: string;
	/** Its run is gone, or it can't read its page anymore, so a new robot replaces it. */
	isBroken?: true;
	/** The user's own robot has changed since, so a new copy replaces it. */
	isOutdated?: boolean;
	/** Another execution's run of the robot was under way when this execution began. */
	activeRun?: ListedRun;
}

export interface StartedRun {
	runId: string;
	robotId: string;
	/** When Maxun confirmed the start, in epoch milliseconds. */
	startedAt: number;
	/** The robot exists only for this run. */
	temporary?: TemporaryRobot['kind'];
	/** The robot was created for this run and is kept. */
	lasting?: TemporaryRobot['kind'];
	/** An earlier execution has kept the robot. */
	isReused?: boolean;
	/** The robot that earlier executions have kept, which may be another robot. */
	known?: KeptRobot;
	duplicateOf?: string;
	fileName?: string;
	response?: IDataObject;
}

export interface WaitSettings extends RunOutput {
	timeoutMinutes: number;
	onTimeout: 'error' | 'return';
	cancelOnTimeout?: boolean;
	robotId?: string;
	/** A test in the editor returns the robot's last data instead. */
	useLastRun?: boolean;
	/** Skips pages that the node has read before, or forgets all pages first. */
	skipRead?: 'skip' | 'startOver';
	repairSelectors?: boolean;
	/** A good run's robot is kept for the node's next executions. */
	keeping?: Keeping;
	/** Returns what has changed since the run that the node last returned. */
	changes?: WatchSettings;
	/** Days. */
	readAgainAfter?: number;
	/** Many similar pages limit each other's time. */
	isOneOfPages?: boolean;
	origin?: IDataObject;
	maxRuns?: number;
	/** The same limit on a server that queues runs. */
	maxQueued?: number;
	/** Seconds. */
	delayBeforeStart: number;
}

export interface WatchSettings extends ComparisonSettings {
	firstCheck: 'nothing' | 'all';
}

export interface PendingRun extends StartedRun {
	context: RunContext;
	settings: WaitSettings;
	/** What the items contain apart from the run's data. */
	fields?: IDataObject;
	timeoutAt: number;
	/** Milliseconds; set if the robot's other pages needed much less than the timeout. */
	pageLimit?: number;
	/** Set if the run only reads a page. */
	lesson?: Lesson;
}

export type WaitEnd =
	| { ended: Run }
	/** Its status after its timeout. */
	| { timedOut: string }
	/** Its status when a tool stops waiting. */
	| { early: string }
	| { fault: MaxunFault };
