import type { IDataObject } from 'n8n-workflow';

/** Writes only changed values to n8n's static data, because n8n saves the workflow after each write. */
export function saveChanges(data: IDataObject, values: IDataObject): void {
	for (const [key, value] of Object.entries(values)) {
		if (JSON.stringify(data[key]) !== JSON.stringify(value)) data[key] = value;
	}
}
