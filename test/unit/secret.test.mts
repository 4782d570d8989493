import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Secrets } from '../../nodes/Maxun/trigger/secret';

const TRIGGER = 'workflow node';
const MINUTE = 60_000;
const signWith = (key: string) => (text: string) =>
	createHmac('sha256', key).update(text).digest('hex');
const sign = signWith('key');

const reloaded = (secrets: Secrets) => {
	const copy = new Secrets();
	copy.merge(JSON.parse(JSON.stringify(secrets.toSaved())));
	return copy;
};

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('the secret of a trigger', () => {
	it('is recognized only if it is complete', () => {
		const secrets = new Secrets();
		const secret = secrets.create(TRIGGER, sign);
		expect(secrets.accepts(secret)).toBe(true);
		for (const sent of [
			secret.slice(1),
			`${secret}0`,
			secret.toUpperCase(),
			'',
			undefined,
			[secret],
		]) {
			expect(secrets.accepts(sent)).toBe(false);
		}
		expect(new Secrets().accepts('')).toBe(false);
	});

	it('is saved as a digest, which is enough to recognize it', () => {
		const secrets = new Secrets();
		const secret = secrets.create(TRIGGER, sign);
		expect(JSON.stringify(secrets.toSaved())).not.toContain(secret.slice(12));
		const copy = reloaded(secrets);
		expect(copy.accepts(secret)).toBe(true);
		expect(copy.current(TRIGGER, sign)).toBe(secret);
		expect(copy.current(TRIGGER, signWith('another key'))).not.toBe(secret);
	});

	it('is replaced by the next one an hour later, and at once by the one after that', () => {
		const secrets = new Secrets();
		const created = [1, 2, 3].map(() => secrets.create(TRIGGER, sign));
		expect(new Set(created).size).toBe(3);
		expect(created.map((secret) => secrets.accepts(secret))).toEqual([false, true, true]);
		vi.setSystemTime(Date.now() + 61 * MINUTE);
		expect(created.map((secret) => secrets.accepts(secret))).toEqual([false, false, true]);
		expect(reloaded(secrets).current(TRIGGER, sign)).toBe(created[2]);
	});

	it('is not brought back by older data', () => {
		const secrets = new Secrets();
		const first = secrets.create(TRIGGER, sign);
		const older = secrets.toSaved();
		const later = [2, 3].map(() => secrets.create(TRIGGER, sign));
		secrets.merge(older);
		expect([first, ...later].map((secret) => secrets.accepts(secret))).toEqual([false, true, true]);
		expect(Object.keys(secrets.toSaved())).toHaveLength(2);
	});

	it('is newer than its predecessor, even if the clock was set back', () => {
		const secrets = new Secrets();
		secrets.create(TRIGGER, sign);
		vi.setSystemTime(Date.now() - 600 * MINUTE);
		const secret = secrets.create(TRIGGER, sign);
		expect(secrets.current(TRIGGER, sign)).toBe(secret);
	});
});

describe('a secret that was not saved', () => {
	const older = new Secrets();
	const create = () => new Secrets().create(TRIGGER, sign);

	it('is recognized by its signature', () => {
		const former = older.create(TRIGGER, sign);
		vi.setSystemTime(Date.now() + 90 * MINUTE);
		const secret = create();
		const secrets = reloaded(older);
		expect(secrets.mayBeSigned(secret) && secrets.addSigned(secret, TRIGGER, sign)).toBe(true);
		expect([secret, former].map((each) => secrets.accepts(each))).toEqual([true, true]);
		vi.setSystemTime(Date.now() + 61 * MINUTE);
		expect([secret, former].map((each) => secrets.accepts(each))).toEqual([true, false]);
	});

	it('is refused if another trigger or key signed it, or if it was replaced', () => {
		const secret = create();
		expect(new Secrets().addSigned(secret, 'another trigger', sign)).toBe(false);
		expect(new Secrets().addSigned(secret, TRIGGER, signWith('another key'))).toBe(false);
		vi.setSystemTime(Date.now() + MINUTE);
		const secrets = new Secrets();
		secrets.create(TRIGGER, sign);
		expect(secrets.addSigned(secret, TRIGGER, sign)).toBe(false);
	});

	it('is checked at most 30 times a minute, and never if it has another form', () => {
		const secrets = new Secrets();
		for (const sent of ['', 'guessed', undefined, [create()], `${create()}0`]) {
			expect(secrets.mayBeSigned(sent)).toBe(false);
		}
		const checks = Array.from({ length: 40 }, () => secrets.mayBeSigned(create()));
		expect(checks.filter(Boolean)).toHaveLength(30);
		vi.setSystemTime(Date.now() + MINUTE);
		expect(secrets.mayBeSigned(create())).toBe(true);
	});
});
