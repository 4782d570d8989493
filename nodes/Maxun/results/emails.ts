import { cut } from '../http/text';
import type { Contact } from './profiles';

/** `@` in brackets or as a word in brackets, which programs that collect addresses don't read. */
const AT_SIGN = / ?[([{<] ?(?:@|at|ät|aet|arroba|arobase) ?[)\]}>] ?/gi;
const DOT = / ?[([{<] ?(?:\.|dot|punkt|point|punto|ponto) ?[)\]}>] ?/gi;

const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;

const ENDINGS_OF_FILES =
	/\.(?:avif|bmp|css|docx?|gif|html?|ico|jpe?g|js|json|map|min|mjs|mp[34]|pdf|php|png|svg|tiff?|webm|webp|woff2?|xlsx?|xml)$/;

/** Domains that don't exist, placeholders for the reader's domain, and domains of error reports. */
const NO_DOMAINS = [
	/(?:^|\.)(?:example\.\w+(?:\.\w\w)?|(?:sentry|wixpress)\.\w+)$/,
	/(?:^|\.)(?:my|your|the)?-?(?:company|domaine?|dominio|empresa|site|usuario|website)\.(?:com(?:\.\w\w)?|de|es|fr|net|org|tld)$/,
	/\.(?:home|internal|invalid|lan|local|localdomain|localhost|test|tld)$/,
];

/** Addresses whose name stands for the reader's own. */
const NO_NAMES = [
	/^(?:test(?:er|user)?|your[._-]?(?:e?-?mail|name|user)?|(?:first|last|user|vor|nach)[._-]?name)@/,
	/^(?:(?:first|last)(?:name)?|vorname|nachname|name|nombre|prenom|nom)[._-](?:last(?:name)?|vorname|nachname|surname|apellidos?|nom)@/,
	/^(?:e-?mail|mail|name|someone|user|username|you)@(?:e?mail|gmail)\.com$/,
];

export const withSigns = (text: string): string => text.replace(AT_SIGN, '@').replace(DOT, '.');

/** The e-mail addresses in a line, in lower case. Yields undefined wherever the work may rest. */
export function* emailsIn(line: string): Generator<Contact | undefined> {
	const text = line.replace(AT_SIGN, '＠');
	const written = text === line ? text : text.replace(DOT, '.');
	for (const { 0: sign, index: at } of written.matchAll(/[@＠]/g)) {
		yield;
		const local = localBefore(written, at);
		const domain = domainAfter(written, at + 1);
		if (local === undefined || domain === undefined) continue;
		const start = at - local.length;
		const before = written.slice(Math.max(0, start - 60), start);
		const after = written.slice(at + 1 + domain.length, at + 4 + domain.length);
		if (sign === '＠' && written === text && isPlace(before, local, after)) continue;
		const value = `${local}@${domain}`.toLowerCase();
		if (isPossible(value)) yield { type: 'email', value };
	}
}

const MAIL =
	/(?<!\p{L})(?:e-?(?:mail|post)|mail|conta[ct]|kontakt|courriel|correo|write|send|reach|schr(?:eib|ift)|erreich|[eé]cri|escri|scriv|skriv|почт|пиш)|邮|郵|メール/iu;

/** Without a word for mail, a word in a sentence or a number before `(at)` isn't an address: `Sold (at) firm.com for 5`. */
function isPlace(before: string, local: string, after: string): boolean {
	if (MAIL.test(before + local)) return false;
	if (!/^[a-z]+$/i.test(local)) return /^[\d.]+$/.test(local);
	return (
		/(?<!\p{L})\p{Ll}\p{L}*,? $/u.test(before) ||
		/^(?:[.!?](?: |$)|,? \p{Ll})/u.test(after) ||
		(/^[A-Z]/.test(local) && /\p{L} $/u.test(before))
	);
}

function localBefore(text: string, at: number): string | undefined {
	let start = at;
	while (at - start <= MAX_LOCAL && IN_LOCAL.test(text.charAt(start - 1))) start--;
	const before = text.slice(Math.max(0, start - 200), start);
	// A user in a URL, a mention such as `@a@b.social`, or a path with a version.
	if (/[/\\@＠]$|:\/\/\S*$/.test(before)) return undefined;
	const local = text.slice(start, at).replace(/^(?:%20|[^\p{L}\p{N}])+/u, '');
	return /^(?!.*\.\.)[a-z\d](?:[\w.%&'+-]{0,62}[\w%&'+-])?$/i.test(local) ? local : undefined;
}

const IN_LOCAL = /[\p{Script=Latin}\p{N}.!#$%&'*+=?^_{|}~-]/u;

function domainAfter(text: string, from: number): string | undefined {
	const all = cut(text.slice(from), MAX_DOMAIN);
	const [name] = /^[\p{Script=Latin}\d]+(?:[.-]+[\p{Script=Latin}\d]+)*/u.exec(all) ?? [''];
	const next = all.slice(name.length);
	// Another user, the path of a repository, or the call of a function.
	if (/^(?:[@＠]|:[\w/~]|\(\))/.test(next)) return undefined;
	const labels = name.split('.');
	// A sentence that begins without a blank, or a word next to the address.
	const end = labels.findIndex(
		(label, index) =>
			index > 0 && /^\p{Lu}\p{Ll}/u.test(label) && /^[\p{Ll}\d-]+$/u.test(labels[index - 1]),
	);
	const own = end > 1 ? labels.slice(0, end) : labels;
	const last = own.at(-1) ?? '';
	return [...own.slice(0, -1), /^[a-z]{2,}(?=[A-Z])/.exec(last)?.[0] ?? last].join('.');
}

function isPossible(email: string): boolean {
	const [local, domain = ''] = email.split('@');
	const labels = domain.split('.');
	return (
		labels.length > 1 &&
		labels.every((label) => /^[\p{L}\d](?:[\p{L}\d-]{0,61}[\p{L}\d])?$/u.test(label)) &&
		/^(?:\p{L}{2,18}|xn--[a-z\d-]{2,})$/u.test(labels.at(-1) ?? '') &&
		!/^\d{1,2}$/.test(labels[0]) &&
		!ENDINGS_OF_FILES.test(domain) &&
		!NO_DOMAINS.some((pattern) => pattern.test(domain)) &&
		!NO_NAMES.some((pattern) => pattern.test(email)) &&
		!/^[\da-f]{24,}$/.test(local)
	);
}
