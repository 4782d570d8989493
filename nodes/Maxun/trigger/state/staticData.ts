import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isObject } from '../../http/values';

/** Writes only changed values to n8n's static data, because n8n saves the workflow after each write. */
export function saveChanges(data: IDataObject, values: IDataObject): void {
	for (const [key, value] of Object.entries(values)) {
		if (JSON.stringify(data[key]) !== JSON.stringify(value)) data[key] = value;
	}
}

/** Saved values by name. n8n adds a hidden field to static data, which zod 4 would read, so this reads a copy. */
export const savedRecord = <S extends z.ZodTypeAny>(values: S) =>
	z
		.preprocess((saved) => (isObject(saved) ? { ...saved } : saved), z.record(z.string(), values))
		.catch({});
