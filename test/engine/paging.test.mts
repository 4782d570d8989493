import { expect, it, vi } from 'vitest';
import { useOperations } from './support/details.mts';

const { sandbox, succeed } = useOperations();

it('all pages are read despite a rate limit, with a wait after each rejection', async () => {
	const made = await sandbox.control.bulkRobots(1500, 'search');
	await sandbox.control.settings({ rateLimitPerMinute: 6, rateWindowSeconds: 1 });
	const warn = vi.spyOn(process, 'emitWarning');
	const parameters = { returnAll: true, filters: { type: 'search' } };
	const { json } = await succeed('robot', 'getAll', parameters);
	expect(json.map(({ id }) => String(id)).sort()).toEqual([...made].sort());
	const asked = await sandbox.sent();
	// Sixteen pages. All other requests were rejected.
	expect(new Set(asked.map(({ query }) => query.offset)).size).toBeGreaterThanOrEqual(16);
	expect(asked.length).toBeLessThan(48);
	expect(warn).not.toHaveBeenCalled();
});
