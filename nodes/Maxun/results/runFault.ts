import type { IDataObject } from 'n8n-workflow';
import { MaxunFault, type FaultDetails } from '../http/fault';
import { omitFields } from '../http/values';
import type { Item } from './types';

/** The fault of a page or a run. Other pages may have data. */
export class RunFault extends MaxunFault {
	items: Item[] = [];
	problems?: string[];

	/** @param short the reason, shown next to the page's URL */
	constructor(
		message: string,
		description: string,
		readonly short: string,
		details: FaultDetails = {},
	) {
		super(message, description, details);
	}

	get data(): IDataObject | undefined {
		const { description, problems, items } = this;
		if (items.length === 0) return undefined;
		const rows = items.map(({ json }) => omitFields(json, ['problems']));
		return { description, ...(problems && { problems }), rows };
	}
}
