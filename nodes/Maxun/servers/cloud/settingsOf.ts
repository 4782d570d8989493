import { recover } from '../../http/fault';
import { path } from '../../http/request';

/**
 * Uses a robot's schedule, monitoring or webhooks. Those of an agent have the same routes under `/agents`, in case the
 * service doesn't find it under `/robots`.
 *
 * @throws MaxunFault of the robot's route if neither exists
 */
export async function settingsOf<T>(
	robotId: string,
	use: (root: string) => Promise<T>,
): Promise<T> {
	return await recover(use(path`/robots/${robotId}`), {
		notFound: async (fault) =>
			await recover(use(path`/agents/${robotId}`), {
				any: (other) => {
					throw other.status === 404 ? fault : other;
				},
			}),
	});
}
