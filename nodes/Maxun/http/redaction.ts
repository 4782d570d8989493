import { isObject } from './values';

/** Secrets with their placeholders. A server or the network may repeat secrets. */
export type Secrets = Array<[secret: string, replacement: string]>;

export const withoutSecrets = (text: string, secrets: Secrets): string =>
	secrets.filter(([secret]) => secret !== '').reduce(withoutSecret, text);

function withoutSecret(text: string, [secret, replacement]: Secrets[number]): string {
	// A very short key, such as a test server's, occurs inside many words.
	const pattern = secret.length < 8 ? `(?<!\\w)${escaped(secret)}(?!\\w)` : escaped(secret);
	const cleaned = (part: string) => part.replace(new RegExp(pattern, 'g'), replacement);
	return text.split(replacement).map(cleaned).join(replacement);
}

export const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Replaces secrets before long texts are cut, because a part of a secret would not be recognized. */
export function bodyWithout(body: unknown, secrets: Secrets): unknown {
	if (typeof body === 'string') return withoutSecrets(body, secrets);
	if (Array.isArray(body)) return body.map((entry) => bodyWithout(entry, secrets));
	if (!isObject(body)) return body;
	return Object.fromEntries(
		Object.entries(body).map(([name, value]) => [name, bodyWithout(value, secrets)]),
	);
}
