import { describe, expect, it } from 'vitest';
import { path, withoutEmpty, withoutUndefined } from '../../nodes/Maxun/http/request';

describe('a path', () => {
	it('contains IDs in encoded form', () => {
		expect(path`/robots/${'a/b?c#d e%2F'}/runs`).toBe('/robots/a%2Fb%3Fc%23d%20e%252F/runs');
	});

	it.each(['', '.', '..', '...'])("refuses the ID '%s'", (id) => {
		expect(() => path`/robots/${id}`).toThrow();
	});
});

describe('the fields of a request', () => {
	const fields = { a: '', b: undefined, c: [], d: false, e: 0, f: null, g: 'x', h: {} };

	it('are only sent if they have a value, such as false or 0', () => {
		expect(withoutEmpty(fields)).toEqual({ d: false, e: 0, f: null, g: 'x', h: {} });
	});

	it('are also sent empty if that clears a field', () => {
		const { b: _, ...defined } = fields;
		expect(Object.keys(withoutUndefined(fields))).toEqual(Object.keys(defined));
	});
});
