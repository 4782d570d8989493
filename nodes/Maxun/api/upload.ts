/** A file as it goes up. */
export interface UploadedFile {
	data: Buffer;
	fileName: string;
	mimeType: string;
}

/**
 * A document and the fields that go with it as multipart/form-data, the file in the part `file`.
 *
 * @param fields texts, and lists of texts, which become a part an entry; undefined ones are left out
 */
export function documentForm(
	{ data, fileName, mimeType }: UploadedFile,
	fields: Record<string, string | string[] | undefined> = {},
): FormData {
	const form = new FormData();
	form.append('file', new Blob([new Uint8Array(data)], { type: mimeType }), fileName);
	for (const [name, value] of Object.entries(fields)) {
		for (const entry of [value ?? []].flat()) form.append(name, entry);
	}
	return form;
}
