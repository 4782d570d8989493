import { parse as parseCsv } from 'csv-parse/sync';
import { escapeHtml } from '../site/html.mts';

export const DOCUMENT_TYPES = ['pdf', 'docx', 'xlsx', 'csv', 'jpg', 'png'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

const SIGNATURES: Record<DocumentType, Buffer> = {
	pdf: Buffer.from('%PDF'),
	docx: Buffer.from('PK'),
	xlsx: Buffer.from('PK'),
	csv: Buffer.alloc(0),
	jpg: Buffer.from([0xff, 0xd8, 0xff]),
	png: Buffer.from([0x89, 0x50, 0x4e, 0x47]),
};

/** The content of a document as HTML, plus rows of cells for tables. */
export interface DocumentContent {
	html: string;
	rows: string[][] | null;
}

/** The type of a document if its name and first bytes agree. */
export function documentType(filename: string, content: Uint8Array): DocumentType | undefined {
	const ending = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase().replace('jpeg', 'jpg');
	const type = DOCUMENT_TYPES.find((candidate) => candidate === ending);
	if (type === undefined) return undefined;
	const signature = SIGNATURES[type];
	return signature.equals(content.subarray(0, signature.length)) ? type : undefined;
}

/** Reads a document. Images have no text. Loads a parser when it is needed: all take a third of a second. @throws Error if the document is unreadable */
export async function readDocument(
	filename: string,
	content: Uint8Array,
): Promise<DocumentContent> {
	const bytes = Buffer.from(content);
	switch (documentType(filename, bytes)) {
		case 'pdf':
			return lines(await readPdf(bytes));
		case 'docx':
			return { html: page(await readDocx(bytes)), rows: null };
		case 'xlsx':
			return table(await readXlsx(bytes));
		case 'csv':
			return table(
				parseCsv(bytes, { bom: true, relax_column_count: true, skip_empty_lines: true }),
			);
		case 'jpg':
		case 'png':
			return lines('');
		default:
			throw new Error(`The document ${filename} is of no known type`);
	}
}

async function readPdf(bytes: Buffer): Promise<string> {
	const { PDFParse } = await import('pdf-parse');
	const parser = new PDFParse({ data: new Uint8Array(bytes) });
	try {
		const { pages } = await parser.getText({ parseHyperlinks: true });
		return pages.map(({ text }) => text).join('\n');
	} finally {
		await parser.destroy();
	}
}

async function readDocx(bytes: Buffer): Promise<string> {
	const { default: mammoth } = await import('mammoth');
	return (await mammoth.convertToHtml({ buffer: bytes })).value;
}

async function readXlsx(bytes: Buffer): Promise<string[][]> {
	const { readSheet } = await import('read-excel-file/node');
	const rows = await readSheet(bytes);
	return rows.map((row) =>
		row.map((cell) => {
			if (cell instanceof Date) return cell.toISOString().slice(0, 10);
			return cell === null ? '' : String(cell);
		}),
	);
}

function lines(text: string): DocumentContent {
	const paragraphs = text
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '')
		.map((line) => `<p>${linked(escapeHtml(line))}</p>`);
	return { html: page(paragraphs.join('\n')), rows: null };
}

/** Markdown links from the PDF reader. */
function linked(line: string): string {
	return line.replace(/\[([^\]]*)\]\((https?:[^)\s]+)\)/g, '<a href="$2">$1</a>');
}

function table(rows: string[][]): DocumentContent {
	const cells = (row: string[], tag: string) =>
		`<tr>${row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
	const [head = [], ...body] = rows;
	const html = [cells(head, 'th'), ...body.map((row) => cells(row, 'td'))].join('\n');
	return { html: page(`<table>\n${html}\n</table>`), rows };
}

function page(body: string): string {
	return `<!doctype html>\n<html><body>\n${body}\n</body></html>\n`;
}
