import type { IExecuteFunctions } from 'n8n-workflow';
import { MaxunFault } from '../api/fault';
import type { UploadedFile } from '../api/upload';

/** The types that document robots take, by file name ending. */
const TYPES: Record<string, string> = {
	csv: 'text/csv',
	docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	jpeg: 'image/jpeg',
	jpg: 'image/jpeg',
	pdf: 'application/pdf',
	png: 'image/png',
	xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/**
 * The document in a binary field of an item, wherever n8n keeps it.
 *
 * @throws MaxunFault for a field that is missing, an empty file, or one of another type
 */
export async function readDocument(
	context: IExecuteFunctions,
	itemIndex: number,
	field: string,
): Promise<UploadedFile> {
	const file = context.getInputData()[itemIndex].binary?.[field];
	if (!file) {
		throw new MaxunFault(
			`Input Data Field Name: the item has no file in '${field}'`,
			`Enter the name under which the file appears in the input of this node. ${available(context, itemIndex)}`,
		);
	}
	const ending =
		/\.(\w+)$/.exec(file.fileName ?? '')?.[1].toLowerCase() ?? file.fileExtension ?? '';
	const known = Object.keys(TYPES);
	const [mimeType] = file.mimeType.split(';');
	const type = known.includes(ending) ? ending : known.find((name) => TYPES[name] === mimeType);
	if (!type) {
		throw new MaxunFault(
			`Input Data Field Name: the file in '${field}' is of a type that Maxun does not read`,
			`It is '${file.fileName ?? file.mimeType}'. Maxun reads PDF, DOCX, XLSX, CSV, JPG and PNG`,
		);
	}
	const data = await context.helpers.getBinaryDataBuffer(itemIndex, field);
	if (data.length === 0) {
		throw new MaxunFault(
			`Input Data Field Name: the file in '${field}' is empty`,
			'Check the node that it comes from',
		);
	}
	return { data, fileName: file.fileName ?? `document.${type}`, mimeType: TYPES[type] };
}

function available(context: IExecuteFunctions, itemIndex: number): string {
	const names = Object.keys(context.getInputData()[itemIndex].binary ?? {});
	return names.length > 0 ? `It has: ${names.join(', ')}` : 'It has no files at all';
}
