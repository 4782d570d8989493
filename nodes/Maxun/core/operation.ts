import type {
	IBinaryData,
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import type { z } from 'zod';
import { MaxunFault } from '../api/fault';
import type { ApiRequest } from '../api/request';
import { DIALECTS, type Dialect } from '../api/service';
import type { RunRequests } from '../api/runs';
import type { UploadedFile } from '../api/upload';
import { parkAfterField, withRequestOptions } from './options';
import type { Answer, Call } from './transport';
import { isObject } from '../api/values';

/** What an operation may do, and nothing else: no node context, no credentials. */
export interface Api {
	/** The address of the API, without a final slash. */
	readonly baseUrl: string;
	/** The team whose robots are meant, empty for the credential's own. Runs of one scope are asked for together. */
	readonly scope: string;
	/** The workflow's IANA time zone. */
	readonly timezone: string;
	/** The server's, where its points in time name none; undefined where nobody knows it. */
	readonly serverTimezone?: string;
	/** How many requests may be under way at once. */
	readonly concurrency: number;
	/** How runs are asked for. */
	readonly runs: RunRequests;
	readonly call: Call;
	/** Reads a paged list, newest first; `wanted` is Infinity for all of it. */
	getMany<T extends { id: string }>(
		request: ApiRequest,
		entry: Answer<T>,
		wanted: number,
	): Promise<T[]>;
	/** The image behind an address, a data URI or base64 text, as n8n keeps files. */
	image(source: string, name: string): Promise<IBinaryKeyData[string]>;
	/** The document in a binary field of the item, checked to be of a type that robots take. */
	document(field: string | IBinaryData): Promise<UploadedFile>;
	/** Tells the user something beside the output. */
	hint(message: string): void;
	sleep(milliseconds: number): Promise<void>;
	/** Ends the work here where the execution has been cancelled. */
	throwIfCancelled(): void;
	/** Does work of which this n8n may do only one piece at a time on the server. */
	inTurn<T>(work: () => Promise<T>): Promise<T>;
	/** The same API for clearing up: it goes on when the execution has been cancelled. */
	afterwards(): Api;
}

export type Item = Pick<INodeExecutionData, 'json' | 'binary'>;

/** A run that an operation has started and that the engine waits for. */
export interface Started {
	runId: string;
	robotId: string;
	/** Set where the operation has made the robot for this run alone: it is deleted after it. */
	temporary?: 'robot' | 'agent';
	/** Fields that go in front of those of each item. */
	fields?: IDataObject;
	/** What the service answered to the start. */
	answer?: IDataObject;
}

/** How to wait for a run and what to make of it. */
export interface WaitSettings {
	/** Minutes. */
	waitFor: number;
	onTimeout: 'error' | 'return';
	/** Whether a run that is out of time is cancelled on the service instead of going on there. */
	cancelOnTimeout?: boolean;
	onFailure: 'error' | 'return';
	output: 'simplified' | 'rows' | 'full';
	downloadScreenshots: boolean;
}

/** What the editor shows of an operation. */
export interface Face {
	resource: string;
	value: string;
	name: string;
	action: string;
	description: string;
	/** Its fields, without display options: those follow from resource and operation. */
	properties: INodeProperties[];
}

/** An entry for each API that has the operation. */
type ByDialect<T> = Partial<Record<Dialect, T>>;

/** One request, one answer. */
interface Simple<P, T> {
	request: ByDialect<(params: P, api: Pick<Api, 'timezone'>) => ApiRequest>;
	answer: Answer<T>;
	/** The items made of the answer; without it an object is one item, a list one item an entry. */
	items?: (result: T, params: P) => IDataObject[];
}

/** Several requests, or a list of any length. */
interface Composed<P> {
	perform: ByDialect<(api: Api, params: P) => Promise<Item[]>>;
	/** How many items to work on at once; without it as many as the node may have requests under way. */
	atOnce?: (params: P) => number;
}

/** Starts a run, whose end the engine waits for, for all items of the execution together. */
interface Running<P> {
	start: ByDialect<(api: Api, params: P) => Promise<Started>>;
	settings: (params: P) => WaitSettings;
	/** Whether to wait at all; without it always. Where not, the item is what the service answered to the start. */
	waits?: (params: P) => boolean;
}

/** One of the ways in which an operation may work, or two of them, each for another API. */
type Way<P, T> =
	| Simple<P, T>
	| Composed<P>
	| Running<P>
	| (Simple<P, T> & Composed<P>)
	| (Running<P> & Composed<P>);

/** An operation with the parameters of one item. */
export type Job =
	| { perform: (api: Api) => Promise<Item[]>; atOnce?: number }
	| { start: (api: Api) => Promise<Started>; settings: WaitSettings };

/** Parameter types end here, inside the closure, so that the table needs no cast. */
export interface Operation extends Face {
	parameterNames: string[];
	/** The APIs that have it. */
	dialects: Dialect[];
	/** Whether the items may be worked on at the same time; what writes keeps their order. */
	sideBySide: boolean;
	/** @throws ZodError for parameters that the documents rule out, MaxunFault where that API has no such operation */
	prepare(dialect: Dialect, parameters: Record<string, unknown>): Job;
}

type Spec<P, T> = Way<P, T> & { sideBySide?: boolean };

/** The parameters of an operation, with or without rules that concern several of them. */
type Schema<S extends z.ZodRawShape> = z.ZodObject<S> | z.ZodEffects<z.ZodObject<S>>;

/** One operation of the node: what the editor shows, what its parameters are, and what it does with them. */
export function operation<S extends z.ZodRawShape, T = never>(
	face: Face,
	schema: Schema<S>,
	spec: Spec<z.output<z.ZodObject<S>>, T>,
): Operation {
	const tables = [
		'start' in spec ? spec.start : {},
		'perform' in spec ? spec.perform : {},
		'request' in spec ? spec.request : {},
	];
	return {
		...face,
		properties: withRequestOptions(face.properties, 'start' in spec ? [parkAfterField] : []),
		parameterNames: Object.keys('shape' in schema ? schema.shape : schema.innerType().shape),
		dialects: DIALECTS.filter((dialect) => tables.some((table) => table[dialect] !== undefined)),
		sideBySide: spec.sideBySide ?? false,
		prepare(dialect, parameters) {
			if (!this.dialects.includes(dialect)) throw missing(face); // before its fields, which are not shown
			const job = jobOf(spec, dialect, schema.parse(parameters));
			if (!job) throw missing(face);
			return job;
		},
	};
}

/** What the operation does for one item; undefined where the API has no such operation. */
function jobOf<P, T>(spec: Spec<P, T>, dialect: Dialect, params: P): Job | undefined {
	const begin = 'start' in spec ? spec.start[dialect] : undefined;
	if ('start' in spec && begin) {
		return spec.waits?.(params) === false
			? { perform: async (api) => [{ json: (await begin(api, params)).answer ?? {} }] }
			: { start: async (api) => await begin(api, params), settings: spec.settings(params) };
	}
	const perform = 'perform' in spec ? spec.perform[dialect] : undefined;
	if ('perform' in spec && perform) {
		return {
			perform: async (api) => await perform(api, params),
			atOnce: spec.atOnce?.(params),
		};
	}
	const request = 'request' in spec ? spec.request[dialect] : undefined;
	if (!('request' in spec) || !request) return undefined;
	return {
		perform: async (api) => {
			const result = await api.call(request(params, api), spec.answer);
			const items = spec.items ? spec.items(result, params) : asItems(result);
			return items.map((json) => ({ json }));
		},
	};
}

const missing = ({ action }: Face) =>
	new MaxunFault(
		`This server does not have the operation '${action}'`,
		'Choose another operation, or set Server to the other kind',
	);

/** An object as one item, a list as one item an entry, nothing as none. */
export function asItems(result: unknown): IDataObject[] {
	const entries: unknown[] = Array.isArray(result) ? result : [result];
	return entries
		.filter((entry) => entry !== null && entry !== undefined)
		.map((value) => (isObject(value) ? value : { value: String(value) }));
}
