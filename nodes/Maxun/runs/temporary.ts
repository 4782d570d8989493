import { z } from 'zod';
import { MaxunFault } from '../api/fault';
import { path } from '../api/request';
import { cancelRun, getActiveRuns, Runs } from '../api/runs';
import type { Api, Started } from '../core/operation';

/** How often a deletion is tried that the service refuses while a run of the robot is still coming to its end. */
const ATTEMPTS = 6;
const PAUSE = 1000;

/**
 * Deletes the robot that an operation has made for one run, and cancels the run where it still goes on. Works after
 * the execution has been cancelled, and never throws.
 *
 * @returns what is left on the service and why, or nothing where all is well
 */
export async function discard({
	api,
	temporary,
	robotId,
}: Pick<Started, 'temporary' | 'robotId'> & { api: Api }): Promise<string | undefined> {
	if (!temporary) return undefined;
	const lasting = api.afterwards();
	const removal = {
		method: 'DELETE' as const,
		path: temporary === 'agent' ? path`/agents/${robotId}` : path`/robots/${robotId}`,
	};
	for (let attempt = 1; ; attempt++) {
		const fault = await faultOf(lasting.call(removal, z.unknown()));
		if (!fault || fault.status === 404) return undefined;
		if (fault.status !== 409 || attempt === ATTEMPTS) {
			return `The temporary ${temporary} ${robotId} is left in Maxun: ${fault.message}`;
		}
		await faultOf(cancelRuns(lasting, robotId));
		await lasting.sleep(PAUSE);
	}
}

/** Cancels whatever of the robot is queued or running, which keeps it from being deleted. */
async function cancelRuns({ call }: Api, robotId: string): Promise<void> {
	const active = await call(getActiveRuns, Runs);
	for (const run of active.filter((candidate) => candidate.robotId === robotId)) {
		await faultOf(call(cancelRun(run.id), z.unknown())); // it may have ended by itself
	}
}

const faultOf = async (work: Promise<unknown>): Promise<MaxunFault | undefined> =>
	await work.then(
		() => undefined,
		(error: unknown) => (error instanceof MaxunFault ? error : new MaxunFault(String(error), '')),
	);
