import fc from 'fast-check';
import type { Exchange, Fault, Moment, Network, Request } from './network.mts';

/** What a request of a node is for. */
export type RequestKind = 'start' | 'create' | 'delete' | 'webhook' | 'run' | 'list' | 'resume URL';

const KINDS: Array<[RequestKind, RegExp]> = [
	['resume URL', /\/webhook-waiting\//],
	['start', /^POST .*\/runs$/],
	['webhook', /\/webhooks|^PUT .*\/sdk\/robots\//],
	['create', /^POST .*\/(robots\/\w+|agents|sdk\/(robots|crawl|search|extract\/llm))$/],
	['delete', /^DELETE/],
	['run', /^GET .*\/runs\/(?!active)/],
];

const kinds = new WeakMap<Request, RequestKind>();

export function kindOf(request: Request): RequestKind {
	const known = kinds.get(request);
	if (known) return known;
	const line = `${request.method} ${request.url.pathname}`;
	const kind = KINDS.find(([, pattern]) => pattern.test(line))?.[0] ?? 'list';
	kinds.set(request, kind);
	return kind;
}

/** Requests of one kind, from the nth one on. */
export interface FaultPlan {
	request: RequestKind;
	nth: number;
	/** How many of them fail. */
	times: number;
	fault: Fault;
}

/** When something happens: at a time, or at a moment of the nth request of a kind. */
export type When = { seconds: number } | { request: RequestKind; nth: number; moment: Moment };

/** Counts requests by kind. */
class Counts {
	private readonly counts = new Map<RequestKind, number>();

	next(kind: RequestKind): number {
		const count = this.counts.get(kind) ?? 0;
		this.counts.set(kind, count + 1);
		return count;
	}
}

/** Lets requests fail as planned. */
export function plan(faults: FaultPlan[], network: Network): void {
	const counts = new Counts();
	network.faultOf = (request) => {
		const kind = kindOf(request);
		const number = counts.next(kind);
		return faults.find(
			({ request: wanted, nth, times }) => wanted === kind && nth <= number && number < nth + times,
		)?.fault;
	};
}

/** Calls back at moments of requests. Use as `network.observe`. */
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

const requestKind: fc.Arbitrary<RequestKind> = fc.constantFrom(
	'start',
	'start',
	'create',
	'create',
	'delete',
	'webhook',
	'run',
	'list',
	'resume URL',
);

const fault: fc.Arbitrary<Fault> = fc.constantFrom<Fault>(
	'refused',
	'broken',
	'cut',
	'late',
	'garbage',
	'truncated',
	'odd',
	401,
	403,
	404,
	429,
	500,
	502,
	503,
	'gateway timeout',
	'gateway timeout in JSON',
);

export const faultPlan: fc.Arbitrary<FaultPlan> = fc.record({
	request: requestKind,
	nth: fc.nat({ max: 12 }),
	times: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.constant(30)),
	fault,
});

export const when: fc.Arbitrary<When> = fc.oneof(
	fc.record({ seconds: fc.integer({ min: 0, max: 900 }) }),
	fc.record({
		request: requestKind,
		nth: fc.nat({ max: 12 }),
		moment: fc.constantFrom<Moment>('sent', 'arrived', 'ended'),
	}),
);
