import { readFileSync } from 'node:fs';
import fc from 'fast-check';

// Pages and selectors for comparing CSS with the node's XPath, with and without a browser.

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

/** What people write, copy from a browser, or find in documentation. */
export const HANDMADE = {
	page: read('selectors-page.txt'),
	selectors: read('selectors.txt').trim().split('\n'),
};

const TAGS = ['div', 'p', 'ul', 'li', 'span', 'a', 'table', 'b'];
const CLASSES = ['a', 'b', 'a-b', 'B', 'x'];
const NAMES = ['id', 'data-x', 'title', 'rel'];
const VALUES = ['a', 'ab', 'A b', '', "it's", '"', '$', 'a>>b', 'a-b', 'é'];

const oneOf = <T,>(values: T[]) => fc.constantFrom(...values);
const many = (count: number) => ({ maxLength: count });
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

interface Part {
	tag: string;
	classes: string[];
	attributes: Array<[string, string]>;
	text: string;
	children: Part[];
}
const { part } = fc.letrec<{ part: Part }>((tie) => ({
	part: fc.record({
		tag: oneOf(['div', 'p', 'ul', 'li', 'span', 'b']),
		classes: fc.array(oneOf(CLASSES), many(3)),
		attributes: fc.array(fc.tuple(oneOf(NAMES), oneOf(VALUES)), many(2)),
		text: oneOf(['', 'x', ' ', '<!-- x -->']),
		children: fc.oneof(
			{ depthSize: 'small', maxDepth: 5 },
			fc.constant<Part[]>([]),
			fc.array(tie('part'), many(4)),
		),
	}),
}));

const htmlOf = ({ tag, classes, attributes, text, children }: Part): string => {
	const given = new Map([
		...attributes,
		...(classes.length > 0 ? [['class', classes.join('  ')] as const] : []),
	]);
	const written = [...given].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('');
	return `<${tag}${written}>${text}${children.map(htmlOf).join('')}</${tag}>`;
};

/** Any page. Elements that HTML doesn't allow inside each other end up elsewhere, as in a browser. */
export const pages = fc
	.array(part, { minLength: 1, maxLength: 4 })
	.map((parts) => `<!doctype html><html><body>${parts.map(htmlOf).join('')}</body></html>`);

const quoted = (value: string) => `"${value.replaceAll('"', '\\"')}"`;
const formula = fc.oneof(
	oneOf(['odd', 'even', 'n', '-n+2', '2n+1', '3n-1', '-2n+3', 'n+2']),
	fc.integer({ min: -1, max: 4 }).map(String),
);

const compoundOf = (complex: fc.Arbitrary<string>) => {
	const list = fc.array(complex, { minLength: 1, maxLength: 2 }).map((all) => all.join(', '));
	const attribute = fc
		.tuple(
			oneOf([...NAMES, 'class']),
			oneOf(['=', '~=', '|=', '^=', '$=', '*=']),
			oneOf(VALUES),
			oneOf(['', ' i']),
		)
		.map(([name, operator, value, flag]) => `[${name}${operator}${quoted(value)}${flag}]`);
	const condition = fc.oneof(
		{ weight: 4, arbitrary: oneOf(CLASSES).map((name) => `.${name}`) },
		attribute,
		oneOf(NAMES).map((name) => `[${name}]`),
		oneOf([':first-child', ':last-child', ':only-child', ':empty', ':root']),
		fc
			.tuple(oneOf(['child', 'last-child']), formula)
			.map(([kind, index]) => `:nth-${kind}(${index})`),
		fc.tuple(oneOf(['not', 'is', 'where']), list).map(([kind, inner]) => `:${kind}(${inner})`),
		fc
			.tuple(oneOf(['', '> ', '+ ', '~ ']), complex)
			.map(([sign, inner]) => `:has(${sign}${inner})`),
	);
	const ofType = fc.oneof(
		fc.constant(''),
		oneOf([':first-of-type', ':last-of-type', ':only-of-type']),
		fc
			.tuple(oneOf(['of-type', 'last-of-type']), formula)
			.map(([kind, index]) => `:nth-${kind}(${index})`),
	);
	return fc.oneof(
		fc
			.tuple(oneOf(TAGS), ofType, fc.array(condition, many(2)))
			.map(([tag, type, all]) => tag + type + all.join('')),
		fc.array(condition, { minLength: 1, maxLength: 2 }).map((all) => all.join('')),
	);
};

const { complex } = fc.letrec<{ complex: string }>((tie) => {
	const compound = fc.oneof(
		{ depthSize: 'small', maxDepth: 2 },
		oneOf([...TAGS, '*', ...CLASSES.map((name) => `.${name}`)]),
		compoundOf(tie('complex')),
	);
	return {
		complex: fc
			.tuple(compound, fc.array(fc.tuple(oneOf([' ', ' > ', ' + ', ' ~ ']), compound), many(2)))
			.map(([first, rest]) => first + rest.flat().join('')),
	};
});

/** CSS doesn't allow `:has` in `:has`. */
const hasNested = (selector: string) => selector.split(':has').length > 2;

export const selectors = fc
	.array(complex, { minLength: 1, maxLength: 2 })
	.map((all) => all.join(', '))
	.filter((selector) => !hasNested(selector));

/** The same pairs each time the tests run. */
export const samples = (count: number) =>
	fc.sample(fc.tuple(pages, selectors), { numRuns: count, seed: 39 });
