import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
	isField,
	numberField,
	schemaOf,
	valueOf,
	type Field,
} from '../../nodes/Maxun/fields/field';
import { RUN_URL } from '../../nodes/Maxun/fields/locators';
import { urlField } from '../../nodes/Maxun/fields/robots';
import { pagesOptionsField, urlsField } from '../../nodes/Maxun/fields/pages';
import { runOptionsField, temporaryOptionsField } from '../../nodes/Maxun/fields/runOptions';
import { optionsOfRuns } from '../../nodes/Maxun/operations/options';
import {
	binaryField,
	count,
	dateTime,
	flag,
	jsonObject,
	locator,
	oneOf,
	optionalLocator,
	optionalText,
	several,
	text,
	texts,
	toInstant,
} from '../../nodes/Maxun/fields/parameters';

/** What a parameter reads from a value, or the first reason why it rejects the value. */
function read(parameter: z.ZodTypeAny, value: unknown): unknown {
	const result = parameter.safeParse(value);
	return result.success ? result.data : { refused: result.error.issues[0]?.message };
}

const refused = { refused: expect.any(String) };
const chosen = (value: unknown) => ({ __rl: true, mode: 'list', value });

it.each<[string, z.ZodTypeAny, unknown, unknown]>([
	['text', text(), ' a ', 'a'],
	['file', binaryField(), ' data ', 'data'],
	['file', binaryField(), '', { refused: 'is required' }],
	['file', binaryField(), {}, { refused: 'must be the name of a field that contains a file' }],
	['text', text(), '', refused],
	['text', text(), '  ', refused],
	['text', text(), undefined, refused],
	['text', text(), null, refused],
	['text', text(), 5, '5'],
	['optional text', optionalText(), ' ', undefined],
	['optional text', optionalText(), ' a', 'a'],
	['count', count(1, 10), 5, 5],
	['count', count(1, 10), '5', 5],
	['count', count(1, 10), 0, refused],
	['count', count(1, 10), 11, refused],
	['count', count(1, 10), 1.5, refused],
	['count', count(0, 10), '', refused],
	['count', count(1, 10), 'x', refused],
	['count', count(1, 10), NaN, refused],
	['flag', flag(), true, true],
	['flag', flag(), 'false', false],
	['flag', flag(), 'yes', refused],
	['several', several(['a', 'b']), ['a'], ['a']],
	['several', several(['a', 'b']), 'a, b', ['a', 'b']],
	['several', several(['a', 'b']), '["a", "b"]', ['a', 'b']],
	['several', several(['a', 'b']), ['c'], refused],
	['several', several(['a', 'b']), {}, refused],
	['texts', texts(), 'a, b,', ['a', 'b']],
	['texts', texts(), '["a, b"]', ['a, b']],
	['texts', texts(), '[a-z]*, /b', ['[a-z]*', '/b']],
	['URLs', valueOf(urlsField), 'https://a,https://b', ['https://a', 'https://b']],
	[
		'URLs',
		valueOf(urlsField),
		'https://a, https://b\nhttps://c',
		['https://a', 'https://b', 'https://c'],
	],
	['URLs', valueOf(urlsField), '["https://a/x,y", "https://b"]', ['https://a/x,y', 'https://b']],
	['URLs', valueOf(urlsField), 'https://a/x,y', ['https://a/x,y']],
	['URLs', valueOf(urlsField), '[]', ['']],
	['URLs', valueOf(urlsField), '[1]', refused],
	['one of', oneOf(['a', 'b']), 'b', 'b'],
	['one of', oneOf(['a', 'b']), 'B', refused],
	['address', valueOf(urlField), 'https://example.com/x', 'https://example.com/x'],
	['address', valueOf(urlField), ' https://example.com/x\u200b ', 'https://example.com/x'],
	['address', valueOf(urlField), '\u200e\ufeffhttps://example.com/x', 'https://example.com/x'],
	['address', valueOf(urlsField), ['https://a.example\u200b'], ['https://a.example']],
	['address', valueOf(urlsField), 'https://a.example\u200b\n', ['https://a.example']],
	['address', valueOf(urlField), 'example.com', refused],
	['address', valueOf(urlField), 'javascript:alert(1)', refused],
	['address', valueOf(urlField), 'https:///x', refused],
	['address', valueOf(urlField), 'http://exa%mple', refused],
	['locator', locator(), chosen(' r '), 'r'],
	['locator', locator(), 'r', 'r'],
	['locator', locator(), 7, '7'],
	['locator', locator(), chosen(''), refused],
	['locator', locator(), undefined, refused],
	['locator', locator(), chosen(null), refused],
	['locator of a run', locator(RUN_URL), chosen('https://a/api/v1/runs/r?x=1'), 'r'],
	['locator of a run', locator(RUN_URL), chosen('https://app.maxun.dev/runs/robot/run/r?x=1'), 'r'],
	['locator of a run', locator(RUN_URL), chosen('https://a/api/robots/robot/runs/r'), 'r'],
	['locator of a run', locator(RUN_URL), chosen('r'), 'r'],
	['optional locator', optionalLocator(), chosen(''), undefined],
	['optional locator', optionalLocator(), undefined, undefined],
	['optional locator', optionalLocator(), chosen('r'), 'r'],
	['optional locator', optionalLocator(), chosen(null), refused],
	['optional locator', optionalLocator(), chosen(undefined), refused],
	['optional locator', optionalLocator(), ' null', undefined],
	['optional locator', optionalLocator(), null, refused],
	['JSON', jsonObject(), '{"a": 1}', { a: 1 }],
	['JSON', jsonObject(), { a: 1 }, { a: 1 }],
	['JSON', jsonObject(), '{a', refused],
	['JSON', jsonObject(), '[1]', refused],
	['date', dateTime(), 'soon', refused],
	['date', dateTime(), '2026-13-45', refused],
])('a parameter of the kind $0 reads $2 correctly', (_, parameter, value, expected) => {
	expect(read(parameter, value)).toEqual(expected);
});

describe('a date and time', () => {
	it.each([
		['2026-06-01T12:00:00', '2026-06-01T10:00:00.000Z'],
		['2026-01-01', '2025-12-31T23:00:00.000Z'],
		['2026-06-01T12:00:00Z', '2026-06-01T12:00:00.000Z'],
		['2026-06-01T12:00:00-03:00', '2026-06-01T15:00:00.000Z'],
	])("of %s is in the workflow's time zone, unless it contains a time zone", (value, instant) => {
		expect(toInstant(String(read(dateTime(), value)), 'Europe/Berlin')).toBe(instant);
	});

	it('is undefined if no value is given', () => {
		expect(toInstant(undefined, 'UTC')).toBeUndefined();
	});
});

/** A switch is added to turn it on. Data checks check something as soon as they are added. */
it('an option that is added without a change changes nothing', () => {
	const forms: Field[] = [runOptionsField(true), pagesOptionsField, temporaryOptionsField([])];
	const options = forms.flatMap(({ options = [] }) => options.filter(isField));
	const changing = [...options, ...optionsOfRuns(true, true)].filter(
		({ type, default: initial, ifAbsent = initial }) =>
			['number', 'options'].includes(type) && ifAbsent !== initial,
	);
	expect(options.length).toBeGreaterThan(30);
	expect(changing.map(({ name }) => name)).toEqual([]);
});

it('a form cannot have two fields of one name, of which only the last would be read', () => {
	const field = numberField('Count', 'count', 'How many');
	expect(() => schemaOf([field, { ...field }])).toThrow("'count'");
});
