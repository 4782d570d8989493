import { createHash } from 'node:crypto';

/**
 * A stable second ID. In the self-hosted API, robots and runs have two IDs, and users have numbers. The rest of the
 * sandbox uses one ID.
 * @returns a UUID
 */
export function secondId(
	kind: 'run' | 'robot' | 'schedule' | 'browser' | 'order',
	id: string,
): string {
	const hex = createHash('sha1').update(`${kind} ${id}`).digest('hex');
	return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-5$3-a$4-$5');
}
