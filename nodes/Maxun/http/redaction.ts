import { isObject } from './values';

/** Secrets with their placeholders. A server, a proxy or a language model may repeat them, in any encoding. */
export type Secrets = Array<[secret: string, replacement: string]>;

/** Longer and deeper than what any message shows. */
const MAX_TEXT = 50_000;
const MAX_DEPTH = 4;

export function cleanerOf(secrets: Secrets): (text: string) => string {
	let patterns: Array<[pattern: RegExp, replacement: string]> | undefined;
	return (text) => {
		patterns ??= secrets
			.filter(([secret]) => secret !== '')
			.map(([secret, replacement]) => [patternOf(secret), replacement]);
		return patterns.reduce(withoutSecret, text);
	};
}

/** A value for messages. Secrets go before texts are cut, because a part of a secret would not be recognized. */
export function cleanedValue(value: unknown, clean: (text: string) => string, depth = 0): unknown {
	if (typeof value === 'string') return clean(value.slice(0, MAX_TEXT));
	if (typeof value !== 'object' || value === null) return value;
	if (depth === MAX_DEPTH) return undefined;
	const inner = (entry: unknown) => cleanedValue(entry, clean, depth + 1);
	if (!isObject(value)) return Object.values(value).slice(0, 100).map(inner);
	return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, inner(entry)]));
}

function withoutSecret(text: string, [pattern, replacement]: [RegExp, string]): string {
	const cleaned = (part: string) => part.replace(pattern, replacement);
	return text.split(replacement).map(cleaned).join(replacement);
}

const patternOf = (secret: string) =>
	new RegExp([secret, ...base64Of(secret)].map(anyFormOf).join('|'), 'gi');

/** How a text that contains the secret looks in Base64, which depends on how many characters come before it. */
const base64Of = (secret: string): string[] =>
	[0, 1, 2].map((before) => {
		const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
		return bytes.toString('base64').slice([0, 2, 3][before], Math.floor((bytes.length * 4) / 3));
	});

function anyFormOf(secret: string): string {
	const pattern = [...secret].map(anyFormOfCharacter).join('');
	// A very short key, such as a test server's, occurs inside many words.
	return secret.length < 8 ? `(?<!\\w)${pattern}(?!\\w)` : pattern;
}

/** A character as it is, and encoded for JSON, for HTML or for URLs, perhaps twice. */
function anyFormOfCharacter(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	const bytes = [...Buffer.from(character)].map((byte) => `%(?:25){0,5}${hex(byte, 2)}`);
	const units = character.split('').map((unit) => `\\\\{1,7}u${hex(unit.charCodeAt(0), 4)}`);
	const forms = [bytes.join(''), units.join(''), `&#0{0,5}${code};?`, `&#x0{0,5}${hex(code)};?`];
	return `(?:${[escaped(character), ...forms, ...(OTHERS[character] ?? [])].join('|')})`;
}

const hex = (code: number, digits = 1) => code.toString(16).padStart(digits, '0');

const OTHERS: Record<string, string[]> = {
	' ': ['\\+'],
	'"': ['\\\\{1,7}"', '&quot;'],
	"'": ['&apos;'],
	'&': ['&amp;'],
	'+': ['-'],
	'/': ['_', '\\\\{1,7}/'],
	'\\': ['\\\\{2,8}'],
	'<': ['&lt;'],
	'>': ['&gt;'],
};

export const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
