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
	return [
		hex.slice(0, 8),
		hex.slice(8, 12),
		`5${hex.slice(13, 16)}`,
		`a${hex.slice(17, 20)}`,
		hex.slice(20, 32),
	].join('-');
}
