import { afterEach, expect, it, vi } from 'vitest';
import { execute } from '../helpers/engine/index.mts';
import { maxun } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();
const UNLIMITED = { rateLimitPerMinute: 100_000, rateWindowSeconds: 60 };
afterEach(async () => await sandbox.control.settings(UNLIMITED));

async function allOf(type: string): Promise<string[]> {
	const { items, error } = await execute({
		parameters: maxun('robot', 'getAll', { returnAll: true, filters: { type } }),
		credentials: sandbox.credentials(),
	});
	expect(error).toBeUndefined();
	return items[0]?.map(({ json }) => String(json.id)) ?? [];
}

it('all pages are read despite a rate limit, with a wait after each rejection', async () => {
	const made = await sandbox.control.bulkRobots(1500, 'search');
	await sandbox.control.settings({ rateLimitPerMinute: 6, rateWindowSeconds: 1 });
	const warn = vi.spyOn(process, 'emitWarning');
	const ids = await allOf('search');
	expect([...ids].sort()).toEqual([...made].sort());
	const asked = await sandbox.sent();
	// Sixteen pages. All other requests were rejected.
	expect(new Set(asked.map(({ query }) => query.offset)).size).toBeGreaterThanOrEqual(16);
	expect(asked.length).toBeLessThan(48);
	expect(warn).not.toHaveBeenCalled();
});
