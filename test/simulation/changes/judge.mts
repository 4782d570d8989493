import { parse } from 'flatted';
import type { IDataObject, IRunExecutionData } from 'n8n-workflow';
import { isReading, textOn, type Page } from '../maxun/page.mts';
import type { Run } from '../maxun/service.mts';
import { PAGES } from '../waiting/setup.mts';
import type { WaitingWorld } from '../waiting/world.mts';
import type { Check, History } from './history.mts';

/** An execution's check of pages. With another form, pages are checked for the first time. */
export interface Checked extends Check {
	urls: string[];
	form: string;
}

/** What an execution told people, the run that Maxun stored for it, or the page whose robots people removed before an execution. */
export type Event =
	| { id: string; told: IDataObject[] }
	| { id: string; stored: Run }
	| { removed: string; before: number };

/** A page's rows by name. A text is one row. */
type Rows = Map<string, string>;

/** Compares what people are told with what the pages showed. It doesn't look at what the node remembers. */
export class Judge {
	readonly violations: string[] = [];
	readonly counts: Record<string, number> = {};
	/** What people know, by page and form. */
	private readonly known = new Map<string, Rows>();
	/** Pages and forms whose robots people removed since, with the next execution. Earlier executions may still use them. */
	private readonly removed = new Map<string, number>();
	/** The execution that last told a change. */
	private readonly tellers = new Map<string, string>();
	/** By execution and page. */
	private readonly stored = new Map<string, Run>();
	private readonly results: Map<string, ReturnType<typeof resultOf>>;

	constructor(
		private readonly world: WaitingWorld,
		private readonly history: History,
		private readonly checks: Map<string, Checked>,
		events: Event[],
	) {
		this.results = new Map([...checks.keys()].map((id) => [id, resultOf(world, id)]));
		const tellers = new Set(events.flatMap((event) => ('told' in event ? event.id : [])));
		for (const event of events) {
			if ('removed' in event) this.remove(event.removed, event.before);
			else if ('told' in event) this.listen(event.id, event.told);
			else if (!tellers.has(event.id)) this.lose(event.id, event.stored);
			else this.stored.set(`${event.id} ${PAGES}${event.stored.key}`, event.stored);
		}
	}

	count(name: string, times = 1): void {
		this.counts[name] = (this.counts[name] ?? 0) + times;
	}

	private remove(page: string, before: number): void {
		for (const key of this.known.keys()) if (key.includes(page)) this.removed.set(key, before);
	}

	/** The execution was killed after it had stored its run, and before it could tell anything. */
	private lose(id: string, { key: name, page }: Run): void {
		const key = `${PAGES}${name} ${this.formOf(id)}`;
		const [before, rows] = [this.known.get(key), rowsOf(key, page)];
		if (before && show(before) !== show(rows)) this.count('lost: killed while it stored its runs');
		this.learn(key, rows, id);
	}

	private learn(key: string, rows: Rows, id: string): void {
		this.known.set(key, rows);
		if (Number(id) >= (this.removed.get(key) ?? 0)) this.removed.delete(key);
	}

	private listen(id: string, told: IDataObject[]): void {
		const { urls, mode } = this.checks.get(id) ?? { urls: [] };
		for (const url of urls) {
			const items = told.filter(({ pageUrl }) => pageUrl === url);
			this.count('page checks');
			if (mode !== 'manual') this.judge(id, url, items);
			else if (items.some(({ change = 'added' }) => change !== 'added'))
				this.fail('a test compares', id, items);
		}
	}

	private judge(id: string, url: string, items: IDataObject[]): void {
		const key = `${url} ${this.formOf(id)}`;
		const result = this.results.get(id);
		const changes = items.filter(({ change }) => change !== undefined);
		const before = this.known.get(key);
		const mayBeFirst = !before || this.removed.has(key);
		const isEmpty = (mayBeFirst || this.overlaps(id)) && result?.empty.includes(url);
		if (items.length > changes.length || result?.failed.includes(url) || isEmpty) {
			this.count('pages that failed');
			if (changes.length > 0) this.fail('a page failed and has changes', id, changes);
			return;
		}
		const stored = this.stored.get(`${id} ${url}`);
		// Its hints are lost, so nothing shows whether the page failed.
		if (result?.wasKilled && changes.length === 0) return stored && this.lose(id, stored);
		const seen = this.seen(id, key);
		const returnsAll = this.history.firstCheck === 'all';
		const all = told(new Map(), changes, key);
		const isFirst = returnsAll ? has(seen, all) : result?.first.includes(url);
		if (mayBeFirst && (isFirst || !before)) {
			this.count('first checks');
			if (!isFirst) this.fail('a first check compares', id, changes);
			return this.learn(key, returnsAll ? all : (seen[0] ?? all), id);
		}
		const after = told(before, changes, key);
		const isSeen = has(seen, after);
		if (!isSeen)
			this.fail(`LOST: people know ${show(after)} instead of ${show(seen[0])}`, id, changes);
		this.learn(key, isSeen ? after : (seen[0] ?? after), id);
		for (const change of changes) this.judgeChange(id, key, change, before);
	}

	private judgeChange(id: string, key: string, change: IDataObject, before: Rows = new Map()) {
		const [name, value] = rowOf(change, key);
		const isRemoval = change.change === 'removed';
		const what = JSON.stringify([key, name, isRemoval ? '' : value]);
		const isNews = isRemoval ? before.has(name) : before.get(name) !== value;
		const teller = this.tellers.get(what) ?? '';
		this.tellers.set(what, id);
		this.count('changes told');
		if (isNews) return;
		if (this.overlaps(id, [teller])) this.count('twice: executions overlap');
		else if (this.results.get(teller)?.again.includes(key.split(' ')[0] ?? ''))
			this.count('twice: Maxun could not store it, which a hint says');
		else this.fail(teller === '' ? 'FALSE ALARM' : `TWICE, first told by ${teller}`, id, [change]);
	}

	/** What the execution's runs of a page could see, in the order of their importance. */
	private seen(id: string, key: string): Rows[] {
		return [...this.world.maxun.past.runs.values()]
			.filter((run) => run.starter === id && key.startsWith(`${PAGES}${run.key} `))
			.filter(({ status, page }) => status === 'success' && page?.refusal === undefined)
			.sort((a, b) => Number(isReading(a)) - Number(isReading(b)))
			.map(({ page }) => rowsOf(key, page));
	}

	private formOf(id: string): string {
		return this.checks.get(id)?.form ?? '';
	}

	private overlaps(id: string, others = [...this.results.keys()]): boolean {
		const own = this.results.get(id);
		const rest = others.filter((other) => other !== id).map((other) => this.results.get(other));
		return rest.some((one) => own && one && own.from < one.to && one.from < own.to);
	}

	private fail(rule: string, id: string, items: IDataObject[]): void {
		const { hints = [] } = this.results.get(id) ?? {};
		this.violations.push(
			`${rule}: execution ${id} told ${JSON.stringify(items)} with hints ${hints.join()}`,
		);
	}
}

const isText = (form: string) => form.includes('"text"');

const rowsOf = (form: string, page: Page = { rows: [] }): Rows =>
	isText(form)
		? new Map([['', textOn(page)]])
		: new Map(page.rows.map(({ Name, Price }) => [Name, Price]));

const rowOf = ({ Name, Title, Price, markdown }: IDataObject, form: string): [string, string] =>
	isText(form) ? ['', String(markdown)] : [String(Name ?? Title), String(Price)];

/** What people know after they were told changes. */
function told(before: Rows = new Map(), changes: IDataObject[], form: string): Rows {
	const after = new Map(before);
	for (const item of changes) {
		const [name, value] = rowOf(item, form);
		if (item.change === 'removed') after.delete(name);
		else after.set(name, value);
	}
	return after;
}

/** White space and the order of rows don't count. */
const show = (rows: Rows = new Map()) =>
	JSON.stringify([...rows].sort()).replace(/(\\n|\s)+/g, ' ');
const has = (seen: Rows[], rows: Rows) => seen.some((one) => show(one) === show(rows));

/** What n8n has stored about an execution. */
function resultOf({ n8n }: WaitingWorld, id: string) {
	const { trail, data } = n8n.database.executions.of(id);
	const { resultData }: IRunExecutionData = parse(data);
	const hints = (resultData.runData.Maxun?.at(-1)?.hints ?? []).map(({ message }) => message);
	const about = (pattern: RegExp) => hints.filter((hint) => pattern.test(hint)).join(' ');
	return {
		hints,
		wasKilled: n8n.executions.lost.has(id),
		from: trail[0]?.at ?? 0,
		to: trail.at(-1)?.at ?? Infinity,
		first: about(/for the first time/),
		empty: about(/was captured/),
		failed: about(/failed: |Another execution/),
		again: about(/may return these changes again/),
	};
}
