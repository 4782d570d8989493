import { createHash, timingSafeEqual } from 'crypto';
import { z } from 'zod';
import { savedRecord } from './state/staticData';

/** The query parameter of the registered URL that contains the secret. */
export const SECRET_PARAMETER = 'secret';

/** Signs text with the key of the trigger's credential. @returns 64 hexadecimal digits */
export type Sign = (text: string) => string;

/**
 * How long the former secret is valid after a new one is created, in milliseconds. By then, no sender retries an event.
 */
const FORMER_SECRET_TIME = 60 * 60_000;

/** Maximum number of unknown secrets that are checked against the signature, per minute. */
const CHECKS_PER_MINUTE = 30;

/** Length of the time at the start of a secret: hexadecimal epoch milliseconds. */
const TIME_LENGTH = 12;

const FORM = /^[0-9a-f]{76}$/;

/** The digests of secrets in n8n's static data, with the times when they were created, in epoch milliseconds. */
export const SavedSecrets = savedRecord(z.number());
export type SavedSecrets = z.output<typeof SavedSecrets>;

/**
 * The secret of a trigger's URL: when it was created, and the signature of this time and the trigger. So a process that
 * has lost the saved data can check it, too.
 */
function secretOf(triggerId: string, created: number, sign: Sign): string {
	const time = created.toString(16).padStart(TIME_LENGTH, '0');
	return time + sign(`${triggerId} ${time}`);
}

/** The secrets of one trigger. n8n only saves their digests, because its API shows static data. */
export class Secrets {
	private readonly created = new Map<string, number>();
	private checks: number[] = [];

	/** Whether another process has created a secret since. */
	areOlderThan(saved: SavedSecrets): boolean {
		return Math.max(0, ...Object.values(saved)) > Math.max(0, ...this.created.values());
	}

	/** Adds the secrets of another copy. */
	merge(saved: SavedSecrets): void {
		for (const [digest, time] of Object.entries(saved)) this.add(digest, time);
	}

	/** Creates a secret that replaces the current one. The current one expires after an hour, earlier ones at once. */
	create(triggerId: string, sign: Sign): string {
		const latest = Math.max(0, ...this.created.values());
		const time = Math.max(Date.now(), latest + 1);
		const secret = secretOf(triggerId, time, sign);
		this.add(digestOf(secret), time);
		return secret;
	}

	/** The secret that was created last; empty if there is none. */
	current(triggerId: string, sign: Sign): string {
		const [, created] = this.valid(Date.now()).at(-1) ?? [];
		return created === undefined ? '' : secretOf(triggerId, created, sign);
	}

	/** Whether this is a secret of the trigger that hasn't expired. Compares in constant time. */
	accepts(secret: unknown, now = Date.now()): boolean {
		if (typeof secret !== 'string' || secret === '') return false;
		const digest = Buffer.from(digestOf(secret));
		return this.valid(now).some(([known]) => {
			const expected = Buffer.from(known);
			return expected.length === digest.length && timingSafeEqual(expected, digest);
		});
	}

	/**
	 * Whether an unknown secret may be valid, and the limit isn't reached. Then `addSigned` can check it.
	 *
	 * n8n can lose the digests: another node may restore older static data.
	 */
	mayBeSigned(secret: unknown, now = Date.now()): secret is string {
		if (typeof secret !== 'string' || !FORM.test(secret)) return false;
		this.checks = this.checks.filter((time) => now - time < 60_000);
		if (this.checks.length >= CHECKS_PER_MINUTE) return false;
		this.checks.push(now);
		return true;
	}

	/** Accepts a secret from now on if its signature is right. */
	addSigned(secret: string, triggerId: string, sign: Sign): boolean {
		const time = parseInt(secret.slice(0, TIME_LENGTH), 16);
		const expected = Buffer.from(secretOf(triggerId, time, sign));
		if (!timingSafeEqual(expected, Buffer.from(secret))) return false;
		// A secret that is older than a known one was replaced.
		if (time < Math.max(0, ...this.created.values())) return false;
		this.add(digestOf(secret), time);
		return true;
	}

	toSaved(): SavedSecrets {
		return Object.fromEntries(this.created);
	}

	/** Adds a secret. Only keeps the latest two, so that older data never brings an earlier one back. */
	private add(digest: string, created: number): void {
		this.created.set(digest, created);
		for (const [earlier] of this.sorted().slice(0, -2)) this.created.delete(earlier);
	}

	/** The secrets that haven't expired, oldest first. */
	private valid(now: number): Array<[digest: string, created: number]> {
		const sorted = this.sorted();
		const newest = sorted.at(-1)?.[1] ?? 0;
		return sorted.filter(([, time]) => time === newest || now - newest < FORMER_SECRET_TIME);
	}

	private sorted(): Array<[digest: string, created: number]> {
		return [...this.created].sort(([, a], [, b]) => a - b);
	}
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url');
