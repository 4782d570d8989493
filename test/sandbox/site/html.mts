const STYLE = `
:root { --ink: #24303f; --soft: #66758a; --line: #e3e8ef; --accent: #2f6f5e; --paper: #fbfcfd; }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
a { color: var(--accent); text-decoration: none; } a:hover { text-decoration: underline; }
header, main, footer { max-width: 62rem; margin: 0 auto; padding: 1rem 1.5rem; }
header { display: flex; gap: 1.5rem; align-items: baseline; border-bottom: 1px solid var(--line); }
header .brand { font-weight: 700; font-size: 1.15rem; color: var(--ink); margin-right: auto; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 1.2rem 0 .4rem; }
.lead, .byline, footer { color: var(--soft); }
.products { list-style: none; padding: 0; display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); }
.product { background: #fff; border: 1px solid var(--line); border-radius: .7rem; padding: 1rem; display: grid; gap: .3rem; }
.product .name { font-size: 1.05rem; margin: 0; } .product .stock { color: var(--soft); font-size: .85rem; }
.price { font-weight: 700; } .category { font-size: .75rem; text-transform: uppercase; letter-spacing: .05em; color: var(--soft); }
.pages { display: flex; gap: .5rem; margin: 1.5rem 0; }
.pages a, .pages strong { padding: .2rem .8rem; border: 1px solid var(--line); border-radius: .5rem; background: #fff; }
article { max-width: 42rem; } table { border-collapse: collapse; } td, th { padding: .4rem 1rem .4rem 0; text-align: left; border-bottom: 1px solid var(--line); }
footer { border-top: 1px solid var(--line); margin-top: 3rem; font-size: .85rem; }
`;

export function escapeHtml(text: string): string {
	return text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;');
}

/** A demo page with this main content. */
export function layout(options: {
	title: string;
	description: string;
	main: string;
	head?: string;
}): string {
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(options.title)} – Little Shop</title>
<meta name="description" content="${escapeHtml(options.description)}">
${options.head ?? ''}<style>${STYLE}</style>
</head>
<body>
<header>
<a class="brand" href="/site/">Little Shop</a>
<nav><a href="/site/products">Products</a> · <a href="/site/articles">Journal</a></nav>
</header>
<main>
${options.main}
</main>
<footer>A demo shop for robots.</footer>
</body>
</html>
`;
}
