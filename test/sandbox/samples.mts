import { strToU8, zipSync } from 'fflate';
import { escapeHtml } from './site/html.mts';

const COLUMNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A one-page PDF with the given text lines. */
export function samplePdf(lines: string[]): Buffer {
	const text = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj 0 -20 Td`).join(' ');
	const stream = `BT /F1 14 Tf 50 750 Td ${text} ET`;
	const objects = [
		'<</Type/Catalog/Pages 2 0 R>>',
		'<</Type/Pages/Kids[3 0 R]/Count 1>>',
		'<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
		`<</Length ${stream.length}>>stream\n${stream}\nendstream`,
		'<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
	];
	let pdf = '%PDF-1.4\n';
	const offsets = objects.map((object, index) => {
		const offset = pdf.length;
		pdf += `${index + 1} 0 obj${object}endobj\n`;
		return `${String(offset).padStart(10, '0')} 00000 n \n`;
	});
	const table = `xref\n0 6\n0000000000 65535 f \n${offsets.join('')}`;
	return Buffer.from(
		`${pdf}${table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${pdf.length}\n%%EOF\n`,
	);
}

/** A Word document with a heading and paragraphs. */
export function sampleDocx(heading: string, paragraphs: string[]): Buffer {
	const paragraph = (text: string, style = '') =>
		`<w:p>${style}<w:r><w:t>${escapeHtml(text)}</w:t></w:r></w:p>`;
	const title = paragraph(heading, '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>');
	const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
	return office({
		'[Content_Types].xml': contentTypes({ '/word/document.xml': main }),
		'_rels/.rels': relations({ rId1: ['officeDocument', 'word/document.xml'] }),
		'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${title}${paragraphs.map((text) => paragraph(text)).join('')}</w:body></w:document>`,
	});
}

/** A workbook with one sheet of at most 26 columns. */
export function sampleXlsx(rows: Array<Array<string | number>>): Buffer {
	const cell = (value: string | number, address: string) =>
		typeof value === 'number'
			? `<c r="${address}"><v>${value}</v></c>`
			: `<c r="${address}" t="inlineStr"><is><t>${escapeHtml(value)}</t></is></c>`;
	const line = (row: Array<string | number>, number: number) =>
		row.map((value, column) => cell(value, `${COLUMNS[column] ?? ''}${number}`)).join('');
	const data = rows
		.map((row, index) => `<row r="${index + 1}">${line(row, index + 1)}</row>`)
		.join('');
	const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
	const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
	return office({
		'[Content_Types].xml': contentTypes({
			'/xl/workbook.xml': `${type}.sheet.main+xml`,
			'/xl/worksheets/sheet1.xml': `${type}.worksheet+xml`,
		}),
		'_rels/.rels': relations({ rId1: ['officeDocument', 'xl/workbook.xml'] }),
		'xl/_rels/workbook.xml.rels': relations({ rId1: ['worksheet', 'worksheets/sheet1.xml'] }),
		'xl/workbook.xml': `<workbook xmlns="${spreadsheet}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		'xl/worksheets/sheet1.xml': `<worksheet xmlns="${spreadsheet}"><sheetData>${data}</sheetData></worksheet>`,
	});
}

function contentTypes(parts: Record<string, string>): string {
	const overrides = Object.entries(parts).map(
		([name, type]) => `<Override PartName="${name}" ContentType="${type}"/>`,
	);
	return `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`;
}

function relations(targets: Record<string, [type: string, target: string]>): string {
	const base = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
	const entries = Object.entries(targets).map(
		([id, [type, target]]) =>
			`<Relationship Id="${id}" Type="${base}/${type}" Target="${target}"/>`,
	);
	return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries.join('')}</Relationships>`;
}

function office(files: Record<string, string>): Buffer {
	const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
	const entries = Object.entries(files).map(([name, xml]) => [name, strToU8(head + xml)]);
	return Buffer.from(zipSync(Object.fromEntries(entries)));
}
