import { readFileSync } from 'node:fs';
import type { IBinaryData } from 'n8n-workflow';

export function memoryFile(content: Buffer, fileName: string, mimeType: string): IBinaryData {
	const extension = fileName.split('.').at(-1);
	return {
		data: content.toString('base64'),
		mimeType,
		fileName,
		fileExtension: extension,
		bytes: content.length,
	};
}

export const INVOICE_PROMPT = 'Extract the invoice number, the date and the total';
export const INVOICE = { invoiceNumber: '2024-17', date: '3 May 2024', total: '42.50 EUR' };

/** The columns of the table in the invoice example. */
export const INVOICE_COLUMNS = {
	fileName: 'string',
	number: 'string',
	date: 'string',
	total: 'number',
} as const;

const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** A picture of one pixel, in Base64. */
export const PNG =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const JPEG =
	'/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/wAALCAABAAEBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/AD8qv//Z';

export interface SampleFile {
	fileName: string;
	mimeType: string;
	content: Buffer;
}

const sample = (name: string) =>
	readFileSync(new URL(`../sandbox/samples/${name}`, import.meta.url));

export const PDF: SampleFile = {
	fileName: 'invoice.pdf',
	mimeType: 'application/pdf',
	content: sample('invoice.pdf'),
};

export const DOCUMENTS: SampleFile[] = [
	PDF,
	{
		fileName: 'invoice.docx',
		mimeType: `${OFFICE}.wordprocessingml.document`,
		content: sample('invoice.docx'),
	},
	{
		fileName: 'prices.xlsx',
		mimeType: `${OFFICE}.spreadsheetml.sheet`,
		content: sample('prices.xlsx'),
	},
	{
		fileName: 'prices.csv',
		mimeType: 'text/csv',
		content: Buffer.from('Product,Price\nDesk,249\n"Chair, oak",89.5\n'),
	},
	{ fileName: 'photo.jpg', mimeType: 'image/jpeg', content: Buffer.from(JPEG, 'base64') },
	{ fileName: 'photo.png', mimeType: 'image/png', content: Buffer.from(PNG, 'base64') },
];
