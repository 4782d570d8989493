import { z } from 'zod';
import { MaxunFault } from '../api/fault';
import { path } from '../api/request';
import { cancelRun } from '../api/runs';
import type { Api, Started } from '../core/operation';

/** How often a deletion is tried that the service refuses while a cancelled run is still coming to its end. */
const ATTEMPTS = 6;
const PAUSE = 1000;

/**
 * Deletes the robot that an operation has made for one run, having cancelled the run where it may still go on. Works
 * after the execution has been cancelled, and never throws.
 *
 * @returns what is left on the service and why, or nothing where all is well
 */
export async function discard({
	api,
	temporary,
	robotId,
	runId,
}: Pick<Started, 'temporary' | 'robotId'> & { api: Api; runId?: string }): Promise<
	string | undefined
> {
	if (!temporary) return undefined;
	const { call, sleep } = api.afterwards();
	if (runId) await call(cancelRun(runId), z.unknown()).catch(() => 'has ended already');
	const removal = {
		method: 'DELETE' as const,
		path: temporary === 'agent' ? path`/agents/${robotId}` : path`/robots/${robotId}`,
	};
	for (let attempt = 1; ; attempt++) {
		const fault = await call(removal, z.unknown()).then(
			() => undefined,
			(error: unknown) => (error instanceof MaxunFault ? error : new MaxunFault(String(error), '')),
		);
		if (!fault || fault.status === 404) return undefined;
		if (fault.status !== 409 || attempt === ATTEMPTS) {
			return `The temporary ${temporary} ${robotId} is left in Maxun: ${fault.message}`;
		}
		await sleep(PAUSE);
	}
}
