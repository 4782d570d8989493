import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { MaxunFault } from '../http/fault';
import type { UploadedFile } from '../http/multipart';

/** The file types that document robots read, by extension. */
const TYPES: Record<string, string> = {
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

/**
 * An item's document, wherever n8n stores it.
 *
 * @param field the name of a binary field, or the file itself from an expression
 * @throws MaxunFault if the field is missing, the file is empty or too large, or its type isn't supported
 */
export async function readDocument(
	context: IExecuteFunctions,
	itemIndex: number,
	field: string | IBinaryData,
): Promise<UploadedFile> {
	const file = fileOf(context, itemIndex, field);
	const name = typeof field === 'string' ? `'${field}'` : 'the expression';
	if (!file) {
		throw new MaxunFault(
			`'Input Data Field Name': the item has no file in ${name}`,
			`Enter the name of the input field that contains the file. ${available(context, itemIndex)}`,
		);
	}
	const ending =
		/\.(\w+)$/.exec(file.fileName ?? '')?.[1].toLowerCase() ?? file.fileExtension ?? '';
	const known = Object.keys(TYPES);
	const [mimeType] = file.mimeType.split(';');
	const type = known.includes(ending) ? ending : known.find((name) => TYPES[name] === mimeType);
	if (!type) {
		throw new MaxunFault(
			`'Input Data Field Name': Maxun does not support the type of '${file.fileName ?? file.mimeType}'`,
			`Use PDF, DOCX, XLSX, CSV, JPG or PNG. The file is in ${name}`,
		);
	}
	const fileName = file.fileName ?? `document.${type}`;
	const data = await context.helpers.getBinaryDataBuffer(itemIndex, field);
	if (data.length === 0) {
		throw new MaxunFault(
			`'Input Data Field Name': the file '${fileName}' is empty`,
			'Check the node that outputs the file',
		);
	}
	if (data.length > MAX_SIZE) {
		const size = (data.length / MEGABYTE).toFixed(1);
		throw new MaxunFault(
			`'Input Data Field Name': the file '${fileName}' is too large (${size} MB)`,
			'Maxun reads documents of up to 10 MB. Split the document, or reduce the size of its images',
		);
	}
	return { data, fileName, mimeType: TYPES[type] };
}

/** n8n's own helper handles every way to store files. */
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
