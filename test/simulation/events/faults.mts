import fc from 'fast-check';
import { kindOf } from '../mishaps.mts';
import type { Fault, Network, Request } from '../network.mts';
import type { Generated } from '../random.mts';
import { DURATION } from './runs.mts';

/** How long clients may wait after a fault, in milliseconds. Simulated gateways send Retry-After, or are slow. */
export const AFTERMATH = 130_000;

/** Makes requests to Maxun fail as planned. @param began when the history began, in epoch milliseconds */
export function plan(
	faults: FaultTime[],
	network: Network,
	{
		now,
		random,
		isMaxun,
	}: { now: () => number; random: () => number; isMaxun: (url: URL) => boolean },
): void {
	const began = now();
	const concerns = ({ at, seconds, requests, share }: FaultTime, request: Request) => {
		const time = (now() - began) / 1000;
		if (time < at || time >= at + seconds) return false;
		const isKind = requests === 'all' || requests === kindOf(request);
		return isKind && (share === 1 || random() < share);
	};
	network.faultOf = (request) =>
		isMaxun(request.url) ? faults.find((fault) => concerns(fault, request))?.fault : undefined;
}

const fault: fc.Arbitrary<Fault> = fc.constantFrom<Fault>(
	'refused',
	'unknown host',
	'broken',
	'cut',
	'late',
	'garbage',
	'proxy page',
	'truncated',
	'odd',
	'empty 404',
	'redirect to login',
	401,
	403,
	404,
	407,
	408,
	429,
	500,
	502,
	503,
	520,
	522,
	524,
	'own 500 after',
	'524 after',
	'gateway timeout',
);

/** A period in which requests fail, for example because a gateway restarts. Seconds. */
const faultTime = fc.record({
	at: fc.integer({ min: 0, max: DURATION }),
	seconds: fc.constantFrom(2, 60, 600, 3600),
	requests: fc.constantFrom('all', 'run', 'list', 'webhook'),
	fault,
	/** The share of these requests that fail, from 0 to 1. */
	share: fc.constantFrom(1, 1, 0.3),
});
type FaultTime = Generated<typeof faultTime>;

/** Two of three histories don't have faults. */
export const faults = fc
	.constantFrom(0, 0, 2)
	.chain((maxLength) => fc.array(faultTime, { maxLength }));
