import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { MaxunFault } from '../http/fault';
import type { UploadedFile } from '../http/multipart';

const MIME: Record<string, string> = {
	csv: 'text/csv',
	docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	jpeg: 'image/jpeg',
	jpg: 'image/jpeg',
	pdf: 'application/pdf',
	png: 'image/png',
	xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

const MEGABYTE = 1024 * 1024;

const MAX_SIZE = 10 * MEGABYTE;

/** A web page may begin with a byte order mark, a declaration or a comment. */
const WEB_PAGE = /^\s*<(?:[?!][^]*<)?(?:!doctype html|html|head|body)\b/i;

export async function readDocument(
	context: IExecuteFunctions,
	itemIndex: number,
	field: string | IBinaryData,
): Promise<UploadedFile> {
	const file = fileOf(context, itemIndex, field);
	const name = typeof field === 'string' ? `'${field}'` : 'the expression';
	const fault = (problem: string, advice: string) =>
		new MaxunFault(`'Input Data Field Name': ${problem}`, advice);
	if (!file) {
		throw fault(
			`the item has no file in ${name}`,
			`Enter the name of the input field that contains the file. ${available(context, itemIndex)}`,
		);
	}
	const data = await context.helpers.getBinaryDataBuffer(itemIndex, field);
	const fileName = file.fileName?.trim() || 'document';
	const shown = `the file '${fileName}'`;
	if (data.length === 0) throw fault(`${shown} is empty`, 'Check the node that outputs the file');
	if (data.length > MAX_SIZE) {
		throw fault(
			`${shown} is too large (${(data.length / MEGABYTE).toFixed(1)} MB)`,
			'Maxun reads documents of up to 10 MB. Split the document, or reduce the size of its images',
		);
	}
	if (WEB_PAGE.test(data.toString('utf8', 0, 1000))) {
		throw fault(
			`${shown} is a web page`,
			'The page may say why the download failed. Check the node that outputs the file. To read web pages, use Web: Scrape Page',
		);
	}
	const type = typeOf(file, data);
	if (!type) {
		throw fault(
			`Maxun does not support the type of '${file.fileName ?? file.mimeType}'`,
			`Use a file whose content is PDF, DOCX, XLSX, CSV, JPG or PNG. The file is in the field ${name}`,
		);
	}
	// Maxun reads the type from the file extension, in lower case.
	const isComplete = endingOf(file) === type;
	const complete = isComplete ? fileName.slice(0, -type.length) + type : `${fileName}.${type}`;
	return { data, fileName: complete, mimeType: MIME[type] };
}

const endingOf = ({ fileName = '' }: IBinaryData) =>
	/\.(\w+)\s*$/.exec(fileName)?.[1].toLowerCase() ?? '';

/** The type by content, else by name or MIME type, unless the content contradicts it. */
function typeOf(file: IBinaryData, data: Buffer): string | undefined {
	const content = Object.keys(CONTENTS).find((type) => hasContent(data, CONTENTS[type]));
	const known = Object.keys(MIME);
	const mimeType = String(file.mimeType).toLowerCase().split(';')[0].trim();
	const endings = [endingOf(file), file.fileExtension?.toLowerCase()];
	const named =
		known.find((type) => endings.includes(type)) ?? known.find((type) => MIME[type] === mimeType);
	if (content && MIME[content] !== MIME[named ?? '']) return content;
	const [start] = CONTENTS[named ?? ''] ?? [''];
	return data.subarray(0, 1024).includes(start, 0, 'latin1') ? named : undefined;
}

/** In Latin 1. DOCX and XLSX are ZIP files. */
const CONTENTS: Record<string, [start: string, part?: string]> = {
	pdf: ['%PDF-'],
	png: ['\x89PNG'],
	jpg: ['\xff\xd8\xff'],
	jpeg: ['\xff\xd8\xff'],
	docx: ['PK\x03\x04', 'word/document.xml'],
	xlsx: ['PK\x03\x04', 'xl/workbook.xml'],
};

const hasContent = (data: Buffer, [start, part = '']: [start: string, part?: string]) =>
	data.indexOf(start, 0, 'latin1') === 0 && data.includes(part);

function fileOf(context: IExecuteFunctions, itemIndex: number, field: string | IBinaryData) {
	try {
		return context.helpers.assertBinaryData(itemIndex, field);
	} catch {
		return undefined;
	}
}

function available(context: IExecuteFunctions, itemIndex: number): string {
	const names = Object.keys(context.getInputData()[itemIndex].binary ?? {});
	return names.length > 0
		? `The item has files in these fields: ${names.join(', ')}`
		: 'The item has no files';
}
