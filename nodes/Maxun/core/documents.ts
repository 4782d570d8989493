import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
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
 * The document of an item, wherever n8n keeps it.
 *
 * @param field the name of a binary field, or the file itself as an expression gives it
 * @throws MaxunFault for a field that is missing, an empty file, or one of another type
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
			`Input Data Field Name: the item has no file in ${name}`,
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
			`Input Data Field Name: the file in ${name} is of a type that Maxun does not read`,
			`It is '${file.fileName ?? file.mimeType}'. Maxun reads PDF, DOCX, XLSX, CSV, JPG and PNG`,
		);
	}
	const data = await context.helpers.getBinaryDataBuffer(itemIndex, field);
	if (data.length === 0) {
		throw new MaxunFault(
			`Input Data Field Name: the file in ${name} is empty`,
			'Check the node that it comes from',
		);
	}
	return { data, fileName: file.fileName ?? `document.${type}`, mimeType: TYPES[type] };
}

/** n8n's own look at the item knows each way in which workflows keep files. */
function fileOf(context: IExecuteFunctions, itemIndex: number, field: string | IBinaryData) {
	try {
		return context.helpers.assertBinaryData(itemIndex, field);
	} catch {
		return undefined;
	}
}

function available(context: IExecuteFunctions, itemIndex: number): string {
	const names = Object.keys(context.getInputData()[itemIndex].binary ?? {});
	return names.length > 0 ? `It has: ${names.join(', ')}` : 'It has no files at all';
}
