import fc from 'fast-check';
import type { RunPlan, ServiceSettings } from '../maxun/service.mts';
import type { WorldSettings } from '../world.mts';

/** Everything that happens in a simulation of the waiting operations. Plain data, so that it can be printed. */
export interface History extends Pick<WorldSettings, 'seed' | 'server'> {
	service: ServiceSettings;
	executions: ExecutionPlan[];
}

export interface ExecutionPlan {
	/** Seconds after the beginning. */
	at: number;
	items: RunPlan[];
	pauseAfter: number;
}

const run: fc.Arbitrary<RunPlan> = fc.record({
	seconds: fc.integer({ min: 1, max: 300 }),
	status: fc.constantFrom('success', 'success', 'failed', 'aborted'),
	rows: fc.integer({ min: 0, max: 2 }),
});

const execution: fc.Arbitrary<ExecutionPlan> = fc.record({
	at: fc.integer({ min: 0, max: 60 }),
	items: fc.array(run, { minLength: 1, maxLength: 6 }),
	pauseAfter: fc.constantFrom(0, 1, 20),
});

export const history: fc.Arbitrary<History> = fc.record({
	seed: fc.integer(),
	server: fc.constantFrom('cloud', 'selfHosted'),
	service: fc.record({
		slots: fc.integer({ min: 1, max: 10 }),
		lag: fc.constant(0),
		deliveries: fc.constantFrom('snake', 'camel', 'flat'),
	}),
	executions: fc.array(execution, { minLength: 1, maxLength: 2 }),
});
