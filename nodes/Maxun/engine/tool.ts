import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { cut } from '../http/text';
import { isEmpty } from '../http/values';

/** The field that says how many fields or items are left out. */
const CUT = 'cut';

/** Maximum number of entries of a list that a model gets. */
const MAX_ENTRIES = 50;

/** Maximum length of a whole result, as a multiple of the maximum length of one text. */
const MAX_TEXTS = 5;

/** Fields that tell a model nothing. */
const BOOKKEEPING = [
	'durationMs',
	'finishedAtLocal',
	'hasData',
	'rowId',
	'scrapedAt',
	'source',
	'sourceURL',
	'startedAt',
	'startedAtLocal',
	'statusCode',
	'wordCount',
];

/** Forms of the same page, the best one for a model first. */
const PAGE_FORMS = ['markdown', 'text', 'html'];

/** Which part of a result a model gets. */
interface ModelLimits {
	/** Maximum number of characters per text. */
	maxText: number;
	/** Keeps all fields. Otherwise, omits those without a value or use for a model. */
	allFields: boolean;
}

/** Room for a note about what was left out, in characters. */
const NOTE = 40;

/** Characters of JSON around a value: its quotation marks or brackets, and a comma. Those of a name include a colon. */
const AROUND = 3;

/**
 * What the node returns to an AI model, where every token costs. Omits files, cuts long texts and lists, and adds a
 * note to each.
 *
 * As JSON, the items contain at most five times `maxText` characters, apart from escape sequences in texts.
 */
export function forModel(items: INodeExecutionData[], limits: ModelLimits): INodeExecutionData[] {
	const cutter = new Cutter(limits);
	const [{ pairedItem: paired } = {}] = items;
	const kept: INodeExecutionData[] = [];
	const rest = cutter.keep(items, MAX_ENTRIES, ({ json, pairedItem }) => {
		const fields = cutter.fields(json);
		if (fields) kept.push({ json: fields, pairedItem });
		return fields !== undefined;
	});
	return rest > 0 ? [...kept, { json: { [CUT]: leftOut(rest) }, pairedItem: paired }] : kept;
}

/** A value in JSON; undefined if there is no room for it. */
type Fitting<T> = T | undefined;

/** Cuts values until a result has its maximum length. */
class Cutter {
	/** Number of characters that the result may still contain. */
	private left: number;

	constructor(private readonly limits: ModelLimits) {
		this.left = limits.maxText * MAX_TEXTS;
	}

	/**
	 * Keeps entries as long as there is room for them.
	 *
	 * @param most maximum number of entries
	 * @param add adds an entry, or returns false if there is no room for it
	 * @returns how many entries are left out
	 */
	keep<T>(entries: T[], most: number, add: (entry: T) => boolean): number {
		this.left -= NOTE;
		const end = entries.findIndex((entry, index) => index >= most || !add(entry));
		if (end >= 0) return entries.length - end;
		this.left += NOTE;
		return 0;
	}

	fields(fields: object): Fitting<IDataObject> {
		if (!this.takes(AROUND, NOTE)) return undefined;
		const given = Object.entries(this.limits.allFields ? fields : usefulFields(fields));
		const entries = given.filter(([, value]) => value !== undefined);
		const kept: Array<[string, IDataObject[string]]> = [];
		const rest = this.keep(entries, Infinity, ([name, value]) => {
			if (!this.takes(name.length + AROUND)) return false;
			const fitting = this.value(value);
			if (fitting !== undefined) kept.push([name, fitting]);
			return fitting !== undefined;
		});
		return Object.fromEntries(rest > 0 ? [...kept, [CUT, leftOut(rest)]] : kept);
	}

	private value(value: unknown): Fitting<IDataObject[string]> {
		if (typeof value === 'string') return this.text(value);
		if (Array.isArray(value)) return this.list(value);
		if (typeof value === 'object' && value !== null) return this.fields(value);
		const simple = typeof value === 'number' || typeof value === 'boolean' ? value : null;
		return this.takes(String(simple).length + AROUND) ? simple : undefined;
	}

	private text(value: string): Fitting<string> {
		const { maxText } = this.limits;
		const room = this.left - AROUND;
		if (value.length <= Math.min(maxText, room)) return this.taken(value);
		const noteOn = (length: number) => `… [truncated: ${length} of ${value.length} characters]`;
		const text = cut(value, Math.min(maxText, room - noteOn(maxText).length));
		return text === '' ? undefined : this.taken(text + noteOn(text.length));
	}

	private taken(text: string): string {
		this.left -= text.length + AROUND;
		return text;
	}

	private list(values: unknown[]): Fitting<Array<IDataObject[string]>> {
		if (!this.takes(AROUND, NOTE)) return undefined;
		const kept: Array<IDataObject[string]> = [];
		const rest = this.keep(values, MAX_ENTRIES, (value) => {
			const fitting = this.value(value);
			if (fitting !== undefined) kept.push(fitting);
			return fitting !== undefined;
		});
		return rest > 0 ? [...kept, leftOut(rest)] : kept;
	}

	/** Uses this many characters. @returns false if fewer are left, or fewer than `spare` would be */
	private takes(length: number, spare = 0): boolean {
		if (this.left < length + spare) return false;
		this.left -= length;
		return true;
	}
}

/** The fields with a value. For a page, only its best form. */
function usefulFields(fields: object): IDataObject {
	const values = Object.entries(fields).filter(
		([name, value]) => !isEmpty(value) && !BOOKKEEPING.includes(name),
	);
	const names = values.map(([name]) => name);
	const [, ...others] = PAGE_FORMS.filter((form) => names.includes(form));
	return Object.fromEntries(values.filter(([name]) => !others.includes(name)));
}

const leftOut = (count: number) => `[${count} more omitted]`;
