import { payloadOf, saysFailure, type HttpAnswer } from './answer';
import { explainStatus, type Explain } from './explain';
import * as selfHosted from './selfHosted';

/** Which of the two APIs is spoken: the hosted service's v1, or that of a server of one's own. */
export type Dialect = 'cloud' | 'selfHosted';

export const DIALECTS: Dialect[] = ['cloud', 'selfHosted'];

/** What differs between the two for every request. What one operation sends stands with the operation. */
export interface Service {
	/** The type of the credential that holds address and key. */
	credential: 'maxunApi' | 'maxunSelfHostedApi';
	/** The root of the API, given the base URL of the credential without slashes at its end. */
	rootOf(baseUrl: string): string;
	exampleBaseUrl: string;
	/** The payload of a successful answer, in the cloud's words. `timezone` is the one of the server, where known. */
	payloadOf(body: unknown, timezone?: string): unknown;
	saysFailure(body: unknown): boolean;
	/** Whether the server has no such route at all. */
	isMissingRoute(answer: HttpAnswer): boolean;
	explain: Explain;
}

const cloud: Service = {
	credential: 'maxunApi',
	rootOf: (baseUrl) => baseUrl,
	exampleBaseUrl: 'https://app.maxun.dev/api/v1',
	payloadOf,
	saysFailure,
	isMissingRoute: () => false,
	explain: explainStatus,
};

const ownServer: Service = {
	credential: 'maxunSelfHostedApi',
	rootOf: (baseUrl) => `${baseUrl.replace(/\/api(\/v1)?$/, '')}/api`,
	exampleBaseUrl: 'http://localhost:8080',
	payloadOf: selfHosted.payloadOf,
	saysFailure: selfHosted.saysFailure,
	isMissingRoute: selfHosted.isMissingRoute,
	explain: (answer, request, words) =>
		selfHosted.explain(answer, request, words) ?? explainStatus(answer, request, words),
};

export const services: Record<Dialect, Service> = { cloud, selfHosted: ownServer };

/** The dialect that a `server` parameter names; the cloud's, where there is none. */
export const dialectOf = (server: unknown): Dialect =>
	DIALECTS.find((dialect) => dialect === server) ?? 'cloud';
