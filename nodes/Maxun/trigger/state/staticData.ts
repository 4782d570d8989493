import type { IDataObject } from 'n8n-workflow';

/** Writes values to n8n's static data, only those that differ: n8n saves the workflow after each write. */
export function saveChanges(data: IDataObject, values: IDataObject): void {
	for (const [key, value] of Object.entries(values)) {
		if (JSON.stringify(data[key]) !== JSON.stringify(value)) data[key] = value;
	}
}
