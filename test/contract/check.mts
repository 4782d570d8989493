import { isDeepStrictEqual } from 'node:util';
import type { IDataObject } from 'n8n-workflow';

export function expectFields(item: IDataObject, expected: IDataObject): void {
	for (const [name, value] of Object.entries(expected)) {
		if (isDeepStrictEqual(item[name], value)) continue;
		throw new Error(`${name} is ${JSON.stringify(item[name])}, not ${JSON.stringify(value)}`);
	}
}

export function expectTexts(item: IDataObject | undefined, ...names: string[]): void {
	for (const name of names) {
		const value = item?.[name];
		if (typeof value !== 'string' || value === '') throw new Error(`${name} is not text`);
	}
}

export function expectListed(items: IDataObject[], id: string): void {
	expectThat(
		items.some((item) => item.id === id),
		`${id} is not in the list`,
	);
}

export function expectThat(condition: boolean, problem: string): void {
	if (!condition) throw new Error(problem);
}
