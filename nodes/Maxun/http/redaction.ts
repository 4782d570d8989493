import { isObject } from './values';

/** Secrets, each with the placeholder that replaces it in messages. A server or the network may repeat them. */
export type Secrets = Array<[secret: string, replacement: string]>;

export const withoutSecrets = (text: string, secrets: Secrets): string =>
	secrets.filter(([secret]) => secret !== '').reduce(withoutSecret, text);

function withoutSecret(text: string, [secret, replacement]: Secrets[number]): string {
	// A very short key, such as a test server's, occurs inside many words.
	const pattern = secret.length < 8 ? `(?<!\\w)${escaped(secret)}(?!\\w)` : escaped(secret);
	const cleaned = (part: string) => part.replace(new RegExp(pattern, 'g'), replacement);
	// The text may already contain the replacement, which may contain a short key.
	return text.split(replacement).map(cleaned).join(replacement);
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * The body of an unsuccessful response without secrets. Messages cut long texts, so secrets must be replaced first: a part
 * of one would not be recognized.
 */
export function bodyWithout(body: unknown, secrets: Secrets): unknown {
	if (typeof body === 'string') return withoutSecrets(body, secrets);
	if (Array.isArray(body)) return body.map((entry) => bodyWithout(entry, secrets));
	if (!isObject(body)) return body;
	return Object.fromEntries(
		Object.entries(body).map(([name, value]) => [name, bodyWithout(value, secrets)]),
	);
}
