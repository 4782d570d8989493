import { CONCURRENCY, mapConcurrently } from '../http/concurrency';
import { MaxunFault, recover } from '../http/fault';
import type { MaxunServer } from '../servers/types';

/**
 * Checks that runs of robots can be compared. A robot that can't be read now is no reason not to publish.
 *
 * @throws MaxunFault that lists robots that only take screenshots, because they would never start the workflow
 */
export async function demandComparable(
	{ robots }: Pick<MaxunServer, 'robots'>,
	robotIds: string[],
): Promise<void> {
	const names = await mapConcurrently(robotIds, CONCURRENCY, async (robotId) => {
		const robot = await recover(robots.get(robotId), { any: () => undefined });
		return robot && takesOnlyScreenshots(robot.formats) ? `'${robot.name}'` : undefined;
	});
	const refused = names.filter((name) => name !== undefined);
	if (refused.length === 0) return;
	throw new MaxunFault(
		`These robots only capture screenshots, which cannot be compared: ${refused.join(', ')}`,
		"Add a text format such as Markdown to each of these robots, or select another event in 'Trigger On'",
		{ failure: { cause: 'configuration-invalid' } },
	);
}

const takesOnlyScreenshots = (formats: unknown): boolean =>
	Array.isArray(formats) &&
	formats.length > 0 &&
	formats.every((format) => String(format).startsWith('screenshot'));
