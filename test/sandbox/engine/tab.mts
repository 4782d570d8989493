import { type Cheerio, type CheerioAPI, load } from 'cheerio';
import type { AnyNode, Element } from 'domhandler';
import { z } from 'zod';
import type { Fetcher } from './fetcher.mts';
import { select } from './selectors.mts';

/** A part of a list that a page loads later, and the next part's address. */
const part = z.object({ html: z.string(), next: z.string().nullable() });

/**
 * A page as a robot sees it, with cookies, forms and links, but without JavaScript.
 *
 * Lists that grow use these attributes: `data-next` contains the next part's address, and `data-rows` marks the element
 * that the part belongs to. In a browser, the shop's own script reads them.
 */
export class Tab {
	url = 'about:blank';
	$: CheerioAPI = load('');
	private readonly cookies = new Map<string, string>();
	private readonly typed = new Map<string, string>();

	constructor(
		private readonly fetcher: Fetcher,
		private readonly signal: AbortSignal,
	) {}

	show(url: string, html: string): void {
		this.url = url;
		this.$ = load(html);
		this.typed.clear();
	}

	/** Opens a page, and follows its redirects. An error page stays open, as in a browser. */
	async open(url: string, form?: URLSearchParams): Promise<void> {
		const { signal } = this;
		let target = new URL(url, this.url === 'about:blank' ? undefined : this.url).href;
		let body = form;
		for (let redirects = 0; redirects < 10; redirects++) {
			const page = await this.fetcher.open(target, { signal, form: body, cookie: this.cookie });
			for (const [name, value] of page.cookies) this.cookies.set(name, value);
			if (page.location === null) return this.show(target, page.body);
			target = new URL(page.location, target).href;
			body = undefined;
		}
		throw new Error(`page.goto: net::ERR_TOO_MANY_REDIRECTS at ${url}`);
	}

	/** Follows a link, sends a form, or loads more rows. @returns whether the element exists */
	async click(selector: string): Promise<boolean> {
		const element = select(this.$, selector).first();
		if (element.length === 0) return false;
		const { href, 'data-next': next } = element.attr() ?? {};
		if (href !== undefined) await this.open(href);
		else if (next !== undefined) await this.more(element, next);
		else if (element.attr('type') === 'submit') await this.submit(element.closest('form').first());
		return true;
	}

	/** @throws Error if the element doesn't exist */
	type(selector: string, text: string): void {
		const name = this.demand(selector).attr('name') ?? '';
		this.typed.set(name, text);
	}

	/** Presses a key in the last used input. Enter sends its form. */
	async press(key: string): Promise<void> {
		const [name] = [...this.typed.keys()].slice(-1);
		const form = this.$(`[name="${name ?? ''}"]`)
			.closest('form')
			.first();
		if (key === 'Enter' && form.length > 0) await this.submit(form);
	}

	/** Selects an option by its text or its value. */
	choose(selector: string, option: string): void {
		const options = this.demand(selector).find('option');
		const chosen = options.filter((_, element) =>
			[this.$(element).text().trim(), this.$(element).attr('value')].includes(option),
		);
		this.typed.set(this.demand(selector).attr('name') ?? '', chosen.attr('value') ?? option);
	}

	/** @throws Error if the element doesn't exist, as a browser does after a while */
	demand(selector: string): Cheerio<Element> {
		const element = select(this.$, selector).first();
		if (element.length > 0) return element;
		throw new Error(`page.waitForSelector: Timeout 30000ms exceeded. Waiting for ${selector}`);
	}

	/** Scrolls to the end. @returns whether that loaded more */
	async scroll(): Promise<boolean> {
		const list = select(this.$, '[data-endless][data-next]').first();
		const next = list.attr('data-next');
		if (next === undefined) return false;
		await this.more(list, next);
		return true;
	}

	private get cookie(): string {
		return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
	}

	private async submit(form: Cheerio<AnyNode>): Promise<void> {
		const fields = new URLSearchParams();
		for (const { attribs } of form.find('input[name], select[name]').toArray()) {
			const { name = '', value = '' } = attribs;
			fields.set(name, this.typed.get(name) ?? value);
		}
		const action = form.attr('action') ?? this.url;
		if (form.attr('method') === 'post') return await this.open(action, fields);
		await this.open(`${action}?${fields.toString()}`);
	}

	private async more(source: Cheerio<Element>, next: string): Promise<void> {
		const { signal, cookie } = this;
		const page = await this.fetcher.open(new URL(next, this.url).href, { signal, cookie });
		const { html, next: after } = part.parse(JSON.parse(page.body));
		this.$('[data-rows]').first().append(html);
		if (after !== null) source.attr('data-next', after);
		else if (source.is('[data-rows]')) source.removeAttr('data-next');
		else source.remove();
	}
}
