import { isObject } from './values';

/** Minimum length of a secret that is also replaced inside words. */
const SHORTEST = 8;

/** A text without a secret that a server or the network may have echoed. */
export function withoutSecret(text: string, secret: string, replacement = '[API key]'): string {
	if (secret === '') return text;
	// A very short key, such as a test server's, occurs inside many words.
	const pattern = secret.length < SHORTEST ? `(?<!\\w)${escaped(secret)}(?!\\w)` : escaped(secret);
	const cleaned = (part: string) => part.replace(new RegExp(pattern, 'g'), replacement);
	// The text may already contain the replacement, which may contain a short key.
	return text.split(replacement).map(cleaned).join(replacement);
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * The body of an unsuccessful response without secrets. Messages cut long texts, so secrets must be replaced first: a part
 * of one would not be recognized.
 */
export function bodyWithout(body: unknown, secrets: string[], replacement?: string): unknown {
	if (typeof body === 'string') {
		return secrets.reduce((text, secret) => withoutSecret(text, secret, replacement), body);
	}
	if (Array.isArray(body)) return body.map((entry) => bodyWithout(entry, secrets, replacement));
	if (!isObject(body)) return body;
	return Object.fromEntries(
		Object.entries(body).map(([name, value]) => [name, bodyWithout(value, secrets, replacement)]),
	);
}
