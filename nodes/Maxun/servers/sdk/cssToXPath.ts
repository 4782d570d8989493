import { STATES, SVG_TAGS, WITHOUT_CASE } from './htmlNames';

/**
 * CSS as XPath 1.0. A selector becomes conditions on its last element, from right to left: `ul > .a` is any element
 * with the class whose parent is a `ul`. So a comma, `:is`, `:not` and `:has` can contain any selector.
 */

/** A part that isn't CSS, or that XPath can't express, with advice on what to write instead. */
export class SelectorError extends Error {
	constructor(
		part: string,
		advice: string,
		readonly isCss = false,
	) {
		super(`'${part}' cannot be used. ${advice}`);
	}
}

interface Compound {
	tag: string;
	conditions: string[];
}

/** `''` for the first element, unless it follows a sign or `:scope`. */
const COMBINATORS = ['', ' ', '>', '+', '~'] as const;
type Complex = Array<[(typeof COMBINATORS)[number], Compound]>;

/** The XPath of all elements that a selector selects on a page. Begins with `//`. */
export function xpathOfPage(css: string): string {
	const alternatives = new Reader(css).all();
	const [only, ...others] = alternatives;
	if (others.length === 0) return `//${written(conditionsOf(only))}`;
	return `//*[${either(alternatives.map(matching))}]`;
}

/** The same elements as paths that continue another element's XPath. An empty path is the element itself. */
export const xpathsWithin = (css: string): string[] =>
	new Reader(css)
		.all()
		.map((complex) =>
			complex[0]?.[0] === '' ? `//${written(conditionsOf(complex))}` : forward(complex),
		);

export function isOnlyCss(css: string): boolean {
	try {
		new Reader(css).all();
		return false;
	} catch (error) {
		return error instanceof SelectorError && error.isCss;
	}
}

const written = ({ tag, conditions }: Compound) =>
	tag + conditions.map((condition) => `[${condition}]`).join('');

const AXES: Record<(typeof COMBINATORS)[number], [before: string, after: string]> = {
	'': ['', '//'],
	' ': ['ancestor::', '//'],
	'>': ['parent::', '/'],
	'+': ['preceding-sibling::*[1]/self::', '/following-sibling::*[1]/self::'],
	'~': ['preceding-sibling::', '/following-sibling::'],
};

const forward = (complex: Complex): string =>
	complex.map(([combinator, compound]) => AXES[combinator][1] + written(compound)).join('');

function conditionsOf(complex: Complex): Compound {
	const [combinator, last] = complex[complex.length - 1] ?? [' '];
	if (last && combinator === '') return last;
	const before = complex.slice(0, -1);
	if (!last || before.length === 0) {
		throw new SelectorError(combinator.trim() || ':scope', 'Write an element instead');
	}
	const related = AXES[combinator][0] + written(conditionsOf(before));
	return { ...last, conditions: [...last.conditions, related] };
}

function matching(complex: Complex): string {
	const { tag, conditions } = conditionsOf(complex);
	const all = [...(tag === '*' ? [] : [`self::${tag}`]), ...conditions];
	return all.length > 0 ? all.join(' and ') : 'true()';
}

const either = (conditions: string[]) =>
	conditions.length === 1 ? conditions[0] : `(${conditions.join(' or ')})`;

/** A text as XPath. Maxun puts selectors into other texts, in which `$"` and `>>` are commands, so both are split. */
export function literal(text: string): string {
	const parts = text.split(/(?<=\$)|(?<=>)(?=>)|(?=")|(?<=")/);
	const quoted = parts.map((part) => (part === '"' ? `'"'` : `"${part}"`));
	return quoted.length === 1 ? quoted[0] : `concat(${quoted.join(', ')})`;
}

const hasWord = (attribute: string, word: string) =>
	`contains(concat(" ", normalize-space(${attribute}), " "), ${literal(` ${word} `)})`;

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function comparison(attribute: string, operator: string, value: string, ignoresCase: boolean) {
	const own = ignoresCase ? inLowerCase(attribute) : attribute;
	const wanted = ignoresCase ? lower(value) : value;
	const text = literal(wanted);
	const isEqual = wanted === '' ? `${attribute} = ""` : `${own} = ${text}`;
	if (operator === '=') return isEqual;
	if (operator === '|=') return `(${isEqual} or starts-with(${own}, ${literal(`${wanted}-`)}))`;
	if (wanted === '' || (operator === '~=' && /\s/.test(wanted))) return 'false()';
	if (operator === '~=') return hasWord(own, wanted);
	if (operator === '^=') return `starts-with(${own}, ${text})`;
	if (operator === '*=') return `contains(${own}, ${text})`;
	return `substring(${own}, string-length(${attribute}) - ${wanted.length - 1}) = ${text}`;
}

const inLowerCase = (value: string) => `translate(${value}, "${UPPER}", "${lower(UPPER)}")`;

/** XPath finds only HTML's own names, with a few characters. Other names are compared as text. */
const tagTest = (name: string) => `${inLowerCase('name()')} = ${literal(lower(name))}`;

const NTH = /^\s*(?:(even|odd)|([+-]?\d*)n(?:\s*([+-])\s*(\d+))?|([+-]?\d+))\s*$/i;

function nth(formula: string, before: string): string {
	const found = NTH.exec(formula);
	if (!found) throw new SelectorError(`(${formula})`, "Write a number, 'odd', 'even' or 2n+1");
	const [, word, factor, sign, offset, fixed] = found;
	const index = `count(${before})`;
	if (fixed !== undefined) return `${index} = ${Number(fixed) - 1}`;
	const step = word ? 2 : /^[+-]?$/.test(factor) ? Number(`${factor}1`) : Number(factor);
	const first = word ? Number(/odd/i.test(word)) : Number(`${sign ?? ''}${offset ?? 0}`);
	if (step === 0) return `${index} = ${first - 1}`;
	const distance = step > 0 ? `${index} + ${1 - first}` : `${first - 1} - ${index}`;
	const isSkipped = Math.abs(step) > 1 ? ` and (${distance}) mod ${Math.abs(step)} = 0` : '';
	return `${distance} >= 0${isSkipped}`;
}

const INSTEAD: Record<string, string> = {
	contains: 'Write XPath, for example //li[contains(., "Sold out")]',
	eq: 'Write :nth-child(), which counts from 1',
	first: 'Write :first-child',
	last: 'Write :last-child',
	checked: 'Write [checked]',
	disabled: 'Write [disabled]',
};

const NAME = /(?!-?\d)(?:\\[0-9a-f]{1,6}\s?|\\[^\n]|[\w-]|[^\0-\x7f])+/;
const QUOTED = /"((?:\\[^]|[^"\\])*)"|'((?:\\[^]|[^'\\])*)'/;

class Reader {
	private position = 0;

	constructor(private readonly css: string) {}

	all(): Complex[] {
		const found = this.alternatives();
		return this.position < this.css.length ? this.refuse('Remove it') : found;
	}

	private alternatives(): Complex[] {
		const found = [this.complex()];
		while (this.take(/\s*,/)) found.push(this.complex());
		return found;
	}

	private take(pattern: RegExp): RegExpExecArray | undefined {
		const sticky = new RegExp(pattern.source, 'iuy');
		sticky.lastIndex = this.position;
		const found = sticky.exec(this.css);
		if (found) this.position = sticky.lastIndex;
		return found ?? undefined;
	}

	private refuse(advice: string): never {
		const [part] = this.css
			.slice(this.position)
			.trimStart()
			.split(/(?<=.)(?=[\s,)])/);
		throw new SelectorError(part || `the end of ${this.css}`, advice);
	}

	private name(advice: string): string {
		return unescaped((this.take(NAME) ?? this.refuse(advice))[0]);
	}

	private complex(): Complex {
		const found: Complex = [];
		const isRelative = this.take(/\s*:scope(?![\w:.#[(-])/) !== undefined;
		let sign = this.take(/\s*([>+~])\s*/)?.[1] ?? (isRelative ? this.next() : '');
		this.take(/\s*/);
		while (sign !== undefined) {
			found.push([COMBINATORS.find((known) => known === sign) ?? '', this.compound()]);
			sign = this.next();
		}
		this.take(/\s*/);
		return found;
	}

	private next(): string | undefined {
		const found = this.take(/\s*([>+~])\s*|\s+(?![\s,)]|$)/);
		return found && (found[1] ?? ' ');
	}

	private compound(): Compound {
		const start = this.position;
		const type = this.take(/\*/) ? '*' : unescaped(this.take(NAME)?.[0] ?? '*');
		const isPlain = type === '*' || (/^[\w-]+$/.test(type) && !SVG_TAGS.has(lower(type)));
		const tag = isPlain ? lower(type) : '*';
		const conditions = isPlain ? [] : [tagTest(type)];
		for (let sign = this.take(/[.#:[]/); sign; sign = this.take(/[.#:[]/)) {
			conditions.push(this.condition(sign[0], tag));
		}
		if (this.position === start) this.refuse('Write an element, a class or an attribute instead');
		return { tag, conditions: conditions.filter((condition) => condition !== 'true()') };
	}

	private condition(sign: string, tag: string): string {
		if (sign === '.') return hasWord('@class', this.name('Write a class after the period'));
		if (sign === '#') return `@id = ${literal(this.name('Write an ID, as in [id="1"]'))}`;
		return sign === '[' ? this.attribute() : this.pseudoClass(tag);
	}

	private attribute(): string {
		this.take(/\s*/);
		const name = this.name('Write the name of an attribute');
		const attribute = /^[a-z_][a-z\d_.-]*$/.test(name) ? `@${name}` : `@*[${tagTest(name)}]`;
		const operator = this.take(/\s*([~|^$*]?=)\s*/)?.[1];
		const quoted = operator && this.take(QUOTED);
		const plain = !operator || quoted ? '' : this.name('Write it in quotation marks');
		const ignoresCase = this.take(/\s*i(?=\s*\])/) !== undefined || WITHOUT_CASE.has(lower(name));
		if (!this.take(/\s*\]/)) this.refuse('Write a bracket ] before it');
		if (!operator) return attribute;
		const value = quoted ? unescaped(quoted[1] ?? quoted[2]) : plain;
		return comparison(attribute, operator, value, ignoresCase);
	}

	private inBrackets<T>(reading: () => T): T {
		if (!this.take(/\(/)) this.refuse('Write a bracket ( before it');
		const found = reading();
		if (!this.take(/\s*\)/)) this.refuse('Write a bracket ) before it');
		return found;
	}

	private any(condition = matching): string {
		return either(this.inBrackets(() => this.alternatives()).map(condition));
	}

	private place(siblings: string): string {
		return this.inBrackets(() => {
			const formula = this.take(/(?:[^()\s]|\s(?!\s{0,9}of\s))*/)?.[0] ?? '';
			if (!this.take(/\s+of\s/)) return nth(formula, siblings);
			const among = either(this.alternatives().map(matching));
			return `${among} and ${nth(formula, `${siblings}[${among}]`)}`;
		});
	}

	private pseudoClass(tag: string): string {
		if (this.take(/:/)) this.refuse('Remove it and its colons, because it is not an element');
		const kind = lower(this.name('Write a pseudo-class after the colon'));
		const isOfType = kind.endsWith('-of-type');
		if (isOfType && tag === '*') {
			throw new SelectorError(`:${kind}`, 'Write the name of the element before it', true);
		}
		const before = `preceding-sibling::${isOfType ? tag : '*'}`;
		const after = `following-sibling::${isOfType ? tag : '*'}`;
		const conditions: Record<string, () => string> = {
			not: () => `not(${this.any()})`,
			is: () => this.any(),
			has: () => this.any((inner) => `.${forward(inner)}`),
			'nth-': () => this.place(before),
			'nth-last-': () => this.place(after),
			'first-': () => `not(${before})`,
			'last-': () => `not(${after})`,
			'only-': () => `not(${before}) and not(${after})`,
			empty: () => 'not(* or text())',
			root: () => 'not(parent::*)',
			link: () => '(self::a or self::area) and @href',
		};
		const known = kind.replace(/-(child|of-type)$/, '-').replace(/^any-|^where$/, '');
		const condition = conditions[known || 'is'];
		if (condition) return condition();
		const isCss = STATES.has(kind);
		const [name] = /\.[^\s.#>+~,()]+$/.exec(this.css.slice(0, this.position)) ?? [''];
		const [rest] = /^[^\s.#>+~,()]*/.exec(this.css.slice(this.position)) ?? [''];
		const isClass = name !== '' && /[-/]/.test(kind + rest) && !isCss;
		const escaped = (name + rest).replace(/(?<!\\)[:/[\]%]/g, '\\$&');
		const advice = isClass ? `If it is part of a class, write ${escaped}` : 'Remove it';
		throw new SelectorError(`:${kind}`, INSTEAD[kind] ?? advice, isCss);
	}
}

const unescaped = (text: string) =>
	text.replace(/\\(?:([0-9a-f]{1,6})\s?|\r?\n|([^\n]))/gi, (_, code?: string, character = '') =>
		code ? String.fromCodePoint(Number.parseInt(code, 16) || 0xfffd) : String(character),
	);
