import { describe, expect, it } from 'vitest';
import { listChangesParameters } from '../../nodes/Maxun/fields/listChanges';
import { MaxunFault } from '../../nodes/Maxun/http/fault';
import { changed } from '../../nodes/Maxun/servers/sdk/change';
import type { ExtractDefinition } from '../../nodes/Maxun/servers/definition';
import { explainRefusal } from '../../nodes/Maxun/servers/sdk/refusal';
import { draftOf } from '../../nodes/Maxun/servers/sdk/workflow';

const capture = (name: string, selector = 'a') => ({ name, selector, attribute: 'innerText' });

describe('changes to a list', () => {
	const fields = { A: { selector: 'a' }, B: { selector: 'b' } };
	const action = { action: 'scrapeList', name: 'L', args: [{ listSelector: 'li', fields }] };
	const workflow = [{ where: {}, what: [action] }];
	const columnNames = [{ column: 'A', name: 'C' }];

	it('a new column and a renamed one must not have the same name', () => {
		expect(() => changed(workflow, { columns: [capture('C')], columnNames })).toThrow(
			"Two columns would have the name 'C'",
		);
		expect(changed(workflow, { columns: [capture('A')], columnNames: [] })).toHaveLength(1);
	});

	it('a new column must not replace a renamed one, whatever had its name before', () => {
		const columnNames = [
			{ column: 'A', name: 'B' },
			{ column: 'B', name: 'C' },
		];
		expect(() => changed(workflow, { columns: [capture('B')], columnNames })).toThrow(
			"Two columns would have the name 'B'",
		);
	});

	it('a single field may have the name of a new column', () => {
		const single = { action: 'scrapeSchema', args: [{ A: { selector: 'a' } }] };
		const both = [{ where: {}, what: [single, { ...action, args: [{ listSelector: 'li' }] }] }];
		const [{ what }] = changed(both, { columns: [capture('C')], columnNames });
		expect(what[0]).toMatchObject({ args: [{ C: { selector: 'a' } }] });
		expect(what[1]).toMatchObject({ args: [{ fields: { C: { selector: 'a' } } }] });
	});

	it('new names do not apply to a new item selector', () => {
		const changes = { itemSelector: 'tr', columns: [capture('C')], columnNames };
		expect(() => changed(workflow, changes)).toThrow("'Column Names' does not apply");
	});

	it('column names without an entry change nothing', () => {
		expect(listChangesParameters.columnNames.parse({})).toBeUndefined();
	});
});

describe('steps that type', () => {
	const definition: ExtractDefinition = {
		url: 'https://example.com/',
		fields: [capture('Say "hi"')],
		lists: [],
		steps: [
			{ action: 'type', selector: '#email', text: 'me' },
			{ action: 'click', selector: 'button' },
			{ action: 'type', selector: '#password', text: 'secret' },
			{ action: 'type', selector: '#code', text: '1' },
		],
	};

	it('an input behind a click gets its type, because Maxun cannot look it up', () => {
		const typed = draftOf(definition, 'm')
			.flatMap(({ what }) => what)
			.filter(({ action }) => action === 'type');
		expect(typed.map(({ args }) => args)).toEqual([
			['#email', 'me'],
			['#password', 'secret', 'password'],
			['#code', '1', 'text'],
		]);
	});

	const refused = (words: string) =>
		explainRefusal(
			new MaxunFault('Refused', '', {
				status: 400,
				reason: `Workflow validation failed: ${words}`,
			}),
			'R',
			definition,
		).message;

	it('a refusal mentions the number of the step, and a name with quotation marks', () => {
		expect(refused('type action: Selector "#password" did not match')).toContain(
			"step 3, 'Type Text'",
		);
		expect(refused('Field "Say "hi"": Selector "a" did not match')).toContain(`'Say "hi"'`);
	});
});
