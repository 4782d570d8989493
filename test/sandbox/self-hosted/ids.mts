import { createHash } from 'node:crypto';

/**
 * A second identifier of a thing, always the same one: the self-hosted API gives robots and runs two
 * each, and users numbers, where the rest of the sandbox has one.
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
