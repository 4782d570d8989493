import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

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

/**
 * What the node returns to an AI model, where every token costs. Omits files, cuts long texts and lists, and adds a
 * note to each.
 */
export function forModel(items: INodeExecutionData[], limits: ModelLimits): INodeExecutionData[] {
	const cutter = new Cutter(limits);
	const [{ pairedItem: paired } = {}] = items;
	const kept: INodeExecutionData[] = [];
	for (const { json, pairedItem } of items) {
		if (cutter.isFull(kept)) break;
		kept.push({ json: cutter.fields(json), pairedItem });
	}
	const rest = items.length - kept.length;
	return rest > 0 ? [...kept, { json: { cut: leftOut(rest) }, pairedItem: paired }] : kept;
}

/** Cuts values until a result has its maximum length. */
class Cutter {
	/** Number of characters that the result may still contain. */
	private left: number;

	constructor(private readonly limits: ModelLimits) {
		this.left = limits.maxText * MAX_TEXTS;
	}

	/** Whether a list with these entries is full. Each list gets at least one. */
	isFull(kept: unknown[]): boolean {
		return kept.length >= MAX_ENTRIES || (kept.length > 0 && this.left <= 0);
	}

	fields(fields: object): IDataObject {
		const entries = Object.entries(this.limits.allFields ? fields : usefulFields(fields));
		return Object.fromEntries(
			entries.map(([name, value]) => {
				this.left -= name.length;
				return [name, this.value(value)];
			}),
		);
	}

	private value(value: unknown): IDataObject[string] {
		if (typeof value === 'string') return this.text(value);
		if (Array.isArray(value)) return this.list(value);
		if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
		return typeof value === 'object' ? this.fields(value) : undefined;
	}

	private text(value: string): string {
		const { maxText } = this.limits;
		const note = `… [truncated: ${maxText} of ${value.length} characters]`;
		const text = value.length > maxText ? value.slice(0, maxText) + note : value;
		this.left -= text.length;
		return text;
	}

	private list(values: unknown[]): IDataObject[string] {
		const kept: Array<IDataObject[string]> = [];
		for (const value of values) {
			if (this.isFull(kept)) break;
			kept.push(this.value(value));
		}
		const rest = values.length - kept.length;
		return rest > 0 ? [...kept, leftOut(rest)] : kept;
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

const isEmpty = (value: unknown) =>
	value === null ||
	value === undefined ||
	value === '' ||
	(typeof value === 'object' && Object.keys(value).length === 0);

const leftOut = (count: number) => `[${count} more omitted]`;
