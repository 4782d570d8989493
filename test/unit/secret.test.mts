import { describe, expect, it } from 'vitest';
import { isSecret, newSecret } from '../../nodes/Maxun/trigger/secret';

describe('the secret of a trigger', () => {
	it('is long, and a different one each time', () => {
		const secrets = Array.from({ length: 100 }, newSecret);
		expect(new Set(secrets).size).toBe(100);
		for (const secret of secrets) expect(secret.length).toBeGreaterThanOrEqual(32);
	});

	it('is only recognized if all of it is there', () => {
		const secret = newSecret();
		expect(isSecret(secret, secret)).toBe(true);
		for (const sent of [
			secret.slice(1),
			`${secret}0`,
			secret.toUpperCase() + 'x',
			'',
			undefined,
			[secret],
		]) {
			expect(isSecret(sent, secret)).toBe(false);
		}
		expect(isSecret('', '')).toBe(false);
	});
});
