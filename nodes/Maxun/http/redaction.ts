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
export const bodyWithout = (body: unknown, secrets: Secrets): unknown =>
	JSON.parse(JSON.stringify(body ?? null), (_name, value: unknown) =>
		typeof value === 'string' ? withoutSecrets(value, secrets) : value,
	);
