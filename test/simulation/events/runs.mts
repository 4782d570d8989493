import fc from 'fast-check';
import type { Generated } from '../random.mts';

const HOUR = 3600;

/** When the last run starts and the last event happens, at the latest. Seconds. */
export const DURATION = HOUR;

/** Robots by number. Most histories have fewer. Then nothing happens. */
const robot = fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 2 }) }, fc.nat({ max: 11 }));

const status = fc.oneof(
	{ weight: 3, arbitrary: fc.constant('success') },
	fc.constantFrom('failed', 'aborted', 'canceled while queued'),
);

/** A run that something else starts, such as a schedule. Seconds. */
const arrival = fc.record({
	at: fc.integer({ min: 0, max: DURATION }),
	robot,
	/** Whether the robot belongs to the other account. */
	isOther: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
	seconds: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 60, max: HOUR / 2 })),
	status,
});
export type RunArrival = Generated<typeof arrival>;

/** Runs with equal gaps, in seconds. */
const runsOf = (of: number, count: number, at: number, gap: number): RunArrival[] =>
	Array.from({ length: count }, (_, index) => ({
		at: at + index * gap,
		robot: of,
		isOther: false,
		seconds: 5,
		status: 'success',
	}));

/** Many runs in a short time. They may end at the same moment. */
const burst = fc
	.tuple(fc.integer({ min: 0, max: DURATION }), robot, fc.constantFrom(5, 20, 70), fc.nat(10))
	.map(([at, of, count, gap]) => runsOf(of, count, at, gap));

/** A robot that runs all the time. */
const steady = fc
	.tuple(robot, fc.constantFrom(400, 1200), fc.constantFrom(2, 4))
	.map(([of, count, gap]) => runsOf(of, count, 0, gap));

/** A run that takes hours, and runs that end afterwards. */
const long: fc.Arbitrary<RunArrival[]> = fc
	.tuple(robot, fc.integer({ min: HOUR, max: 3 * HOUR }), fc.constantFrom(10, 200))
	.map(([of, seconds, gap]) => [
		{ at: HOUR, robot: of, isOther: false, seconds, status: 'success' },
		...runsOf(of, 5, HOUR + seconds, gap),
	]);

const several = fc.oneof(
	{ weight: 60, arbitrary: fc.constant<RunArrival[]>([]) },
	{ weight: 30, arbitrary: burst },
	{ weight: 9, arbitrary: long },
	{ weight: 1, arbitrary: steady },
);

export const runs = fc
	.tuple(fc.array(arrival, { maxLength: 25 }), several)
	.map(([single, many]) => [...single, ...many]);
