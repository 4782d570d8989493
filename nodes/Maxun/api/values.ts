import type { IDataObject } from 'n8n-workflow';

/** Whether something is an object with fields, and no list. */
export const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
