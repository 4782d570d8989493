import fc from 'fast-check';
import { FAULTS, type Exchange, type Moment, type Network, type Request } from './network.mts';
import type { Generated } from './random.mts';

const KINDS = [
	['resume URL', /\/webhook-waiting\//],
	['start', /^POST .*\/runs$/],
	['webhook', /\/webhooks|^PUT .*\/sdk\/robots\//],
	['create', /^POST .*\/(robots\/\w+|duplicate|agents|sdk\/(robots|crawl|search|extract\/llm))$/],
	['cancel', /^POST .*\/(cancel|abort)$/],
	['delete', /^DELETE/],
	['run', /^GET .*\/runs\/(?!active)/],
] as const;

/** The purpose of a node's request. */
type RequestKind = (typeof KINDS)[number][0] | 'list';

const kinds = new WeakMap<Request, RequestKind>();

export function kindOf(request: Request): RequestKind {
	const known = kinds.get(request);
	if (known) return known;
	const line = `${request.method} ${request.url.pathname}`;
	const kind = KINDS.find(([, pattern]) => pattern.test(line))?.[0] ?? 'list';
	kinds.set(request, kind);
	return kind;
}

class Counts {
	private readonly counts = new Map<RequestKind, number>();

	next(kind: RequestKind): number {
		const count = this.counts.get(kind) ?? 0;
		this.counts.set(kind, count + 1);
		return count;
	}
}

/** Makes requests fail as planned. @param elapsed returns the milliseconds since the beginning */
export function plan(
	faults: FaultPlan[],
	network: Network,
	outages: Outage[],
	elapsed: () => number,
): void {
	const counts = new Counts();
	network.faultOf = (request) => {
		const kind = kindOf(request);
		const number = counts.next(kind);
		const seconds = elapsed() / 1000;
		const planned = faults.find(
			({ request: wanted, nth, times }) => wanted === kind && nth <= number && number < nth + times,
		);
		const outage = outages.find(
			({ at, seconds: length, request: wanted }) =>
				(wanted === 'any' || wanted === kind) && at <= seconds && seconds < at + length,
		);
		const fault = (planned ?? outage)?.fault;
		return isMissing(fault) && CREATE_EXTRACT.test(request.url.pathname) ? 503 : fault;
	};
}

const isMissing = (fault: Exchange['fault']) => fault === 404 || fault === 'empty 404';

/** A server that lacks this route always lacks it. */
const CREATE_EXTRACT = /\/sdk\/robots$/;

/** Calls back at moments of requests. Use it as `network.observe`. */
export function watcher(events: Array<{ when: When; happen: () => void }>) {
	const counts = { sent: new Counts(), arrived: new Counts(), ended: new Counts() };
	return ({ request }: Exchange, moment: Moment): void => {
		const kind = kindOf(request);
		const number = counts[moment].next(kind);
		for (const { when, happen } of events) {
			if (!('request' in when) || when.moment !== moment) continue;
			if (when.request === kind && when.nth === number) happen();
		}
	};
}

const requestKind = fc.constantFrom<RequestKind>(
	'start',
	'start',
	'create',
	'create',
	'cancel',
	'delete',
	'webhook',
	'run',
	'list',
);

/** What goes wrong with a request. All of the network's faults are equally likely. */
const fault = fc.constantFrom(...FAULTS);

/** The position of a request among the requests of its kind. Most executions send only a few of some kinds. */
const nth = fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 12 }));

/** Faults for requests of one kind, from the nth request on. */
export const faultPlan = fc.record({
	request: requestKind,
	nth,
	times: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.constant(30)),
	fault,
});
type FaultPlan = Generated<typeof faultPlan>;

/** A period in which all requests of a kind fail. Then Maxun, or the gateway before it, works again. */
export const outage = fc.record({
	/** Seconds after the beginning. */
	at: fc.integer({ min: 0, max: 600 }),
	seconds: fc.constantFrom(5, 30, 90, 300, 1800, 7200),
	request: fc.constantFrom('any', 'any', 'run', 'list', 'start', 'create', 'delete'),
	fault,
});
export type Outage = Generated<typeof outage>;

/** When something happens: at a time, or at a moment of the nth request of a kind. */
export const when = fc.oneof(
	fc.record({ seconds: fc.integer({ min: 0, max: 900 }) }),
	fc.record({
		request: requestKind,
		nth,
		moment: fc.constantFrom<Moment>('sent', 'arrived', 'ended'),
	}),
);
type When = Generated<typeof when>;
