import type { IDataObject } from 'n8n-workflow';
import type { Rest } from '../http/concurrency';
import type { Captured } from './captured';
import { contactsOf } from './contacts';
import { documentsOf } from './ragDocuments';
import { selectedOf, simplified } from './rows';
import { siteMapOf, type SiteMapSettings } from './siteMap';
import { tableOf, type TableSettings } from './table';
import type { Hint } from './hint';

export interface OutputSettings extends TableSettings {
	fields?: string[];
	address?: string;
	siteMap?: SiteMapSettings;
}

interface OutputForm {
	name: string;
	description: string;
	make: (
		captured: Captured,
		settings: OutputSettings,
		hint: Hint,
		rest: Rest,
	) => IDataObject[] | Promise<IDataObject[]>;
	isRun?: true;
	/** Whether an empty run has no items. */
	isRows?: true;
	hasColumns?: true;
	/** The formats that a page needs for it, instead of the user's. */
	formats?: string[];
	/** The word for its items, if pages that were read may have none. Then, 'If No Data' applies. */
	items?: string;
}

const OUTPUT_FORMS = {
	contacts: {
		name: 'Contacts',
		description: 'One item per email address, phone number and profile, from the HTML of the pages',
		make: (captured, { address }, hint, rest) => contactsOf(captured, address, hint, rest),
		isRows: true,
		// Other formats may lack a page's header and footer, where most contacts are.
		formats: ['html'],
		items: 'contacts',
	},
	documents: {
		name: 'Documents',
		description: 'One item per row or page, with text and metadata for a vector store',
		make: (captured, { address }, _, rest) => documentsOf(captured, address, rest),
		isRows: true,
	},
	fields: {
		name: 'Selected Fields',
		description: 'Only the fields that you select',
		make: (captured, { fields = [] }, _, rest) => selectedOf(captured, fields, rest),
	},
	raw: {
		name: 'Raw',
		description: 'The run as returned by Maxun',
		make: ({ run }) => [run],
		isRun: true,
	},
	rows: {
		name: 'Rows',
		description:
			'One item per row, page or result. If the run has none of these, one item with its fields or formats.',
		make: tableOf,
		isRows: true,
		hasColumns: true,
	},
	simplified: {
		name: 'Simplified',
		description: 'The most useful fields of the run, plus all its data that is not empty',
		make: (captured) => [simplified(captured)],
		isRun: true,
	},
	siteMap: {
		name: 'Site Map',
		description: 'One item per URL',
		make: (captured, { siteMap }, hint, rest) =>
			siteMap ? siteMapOf(captured, siteMap, hint, rest) : [],
		isRows: true,
	},
} satisfies Record<string, OutputForm>;

export type Output = keyof typeof OUTPUT_FORMS;

export const formOf = (output: Output): OutputForm => OUTPUT_FORMS[output];

export const OUTPUTS_WITH_COLUMNS = Object.entries<OutputForm>(OUTPUT_FORMS)
	.filter(([, { hasColumns }]) => hasColumns)
	.map(([output]) => output);
