import fc from 'fast-check';

// Pages and selectors that compare CSS with the node's XPath, in a browser and without one.

const SHOP = `<!doctype html><html lang="en-US"><head><title>Shop</title></head><body class="home  dark">
<header id="top"><nav><a href="/" rel="home NoFollow">Home</a> <a href="/a?b=1&amp;c=2" class="active">A</a><a name="anchor">No link</a></nav></header>
<main id="main">
<h1>Things</h1><p class="lead">Two <b>bold</b> words</p><p></p><p> </p><p><!-- note --></p>
<ul class="products list"><!-- rows -->
<li class="product Product--sale card" data-id="1" data-price="$5" data-path="a>>b"><h2 class="name"><a href="https://x.example/p/1.html" title='He said "hi"'>Desk</a></h2><span class="price old">10</span><span class="price">9</span></li>
<li class="product card" data-id="2" lang="de"><h2 class="name"><a href="/p/2.pdf">Chair</a></h2><span class="price">8</span><img src="c.png" alt=""></li>
<li class="ad card" data-id=""><div class="product">An ad</div></li>
<li class="product
card Card_root__x1Y2z md:w-1/2" data-id="3" data-tags="new red"><h2 class="name">Lamp</h2></li>
</ul>
<table id="t"><thead><tr><th>Name</th><th>Price</th></tr></thead><tbody>
<tr class="r"><td>A</td><td>1</td></tr><tr class="r odd"><td>B</td><td>2</td></tr><tr class="r"><td colspan="2">C</td></tr></tbody></table>
<form><input TYPE="TEXT" name="q" checked><input type="submit" disabled><select><option selected>1</option><option>2</option></select></form>
<div class="card"><div class="card"><a class="card" href="#in">In</a></div></div>
<section><h2>One</h2><p>a</p><p>b</p><h2>Two</h2><p>c</p><div>d</div><p>e</p></section>
<svg viewBox="0 0 9 9" class="icon"><linearGradient id="g"/><path d="M0"/><text>T</text><a><title>x</title></a></svg>
<my-card class="x">Custom</my-card><dl><dt>k</dt><dd>v</dd><dt>k2</dt><dd>v2</dd></dl>
</main></body></html>`;

/** What people write, copy from a browser, or find in documentation. */
export const HANDMADE = {
	page: SHOP,
	selectors: `
		*
		li
		LI
		li.product
		.product
		.product.card
		.card.product
		.Product--sale
		.product--sale
		ul.products > li
		ul.products>li.product
		ul.products  >  li
		#main
		#t tbody tr
		#t tr.r
		#t > tbody > tr:nth-child(2) > td:nth-child(1)
		tr td:first-child
		td:last-child
		td:only-child
		td:nth-child(2n)
		td:nth-child(odd)
		td:nth-child(even)
		li:nth-child(n+2)
		li:nth-child(-n+2)
		li:nth-child(2n+1)
		li:nth-child( 3n - 1 )
		li:nth-child(+3n-2)
		li:nth-child(0n+2)
		li:nth-child(-2n+3)
		li:nth-child(0)
		li:nth-last-child(1)
		li:nth-last-child(-n+2)
		p:nth-of-type(2)
		p:first-of-type
		p:last-of-type
		p:only-of-type
		h1:only-of-type
		section p:nth-last-of-type(2)
		p:empty
		:root
		:root > body
		html
		body.home.dark
		h2 ~ p
		h2 + p
		h2 + p + p
		h2 ~ div
		section > h2 + p ~ p
		li, tr
		li.ad, .lead , h1
		li:not(.ad)
		li:not(.ad, .Product--sale)
		li:not(.ad):not([lang])
		li:not(:first-child)
		li:has(.price)
		li:has(> .price)
		li:has(> h2 > a)
		li:has(h2 a, img)
		li:has(+ .ad)
		li:has(~ .ad)
		li:not(:has(a))
		ul:has(> li.ad) .price
		:is(h1, h2)
		:is(ul, section) > :is(li, h2)
		:where(.products) li
		:not(li):not(li *)
		main > :not(ul, table, :is(p, h1))
		[data-id]
		[data-id=""]
		[data-id="2"]
		[data-id='2']
		[data-id="2"][lang]
		[ data-id = "2" ]
		li[class="ad card"]
		li[class^="product"]
		li[class*="Card_root"]
		[class$="card"]
		[data-tags~="red"]
		[data-tags~="new red"]
		[data-tags~=""]
		[data-tags^=""]
		[lang|="en"]
		[lang|=de]
		[lang=DE]
		[lang|=""]
		[href$=".pdf"]
		[href$=".PDF" i]
		a[href^=http]
		a[href*='?b=1&c=2']
		a[rel~="nofollow"]
		input[type=text]
		input[type='text' i]
		[data-price="$5"]
		[data-price$='$5']
		[data-path="a>>b"]
		[title="He said \\"hi\\""]
		[title*='"']
		.md\\:w-1\\/2
		[class~='md:w-1/2']
		a:link
		a:any-link
		svg
		svg path
		svg > *
		linearGradient
		lineargradient
		svg text
		[viewBox]
		my-card
		my-card.x
		div div
		div.card div a
		.card .card
		.card > .card > .card
		.card:not(.card .card)
		body > main > *:nth-child(3)
		p b
		dt + dd
		dt:nth-of-type(2) + dd
		dd:nth-of-type(n+2)
		form > input:nth-of-type(2)
		option[selected]
		img[alt=""]
		h2 > a[title], h2 > a[href^="/"]`
		.trim()
		.split('\n')
		.map((selector) => selector.trim()),
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
