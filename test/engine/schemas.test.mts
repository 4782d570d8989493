import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Schema } from 'genson-js';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { CASES, QUICK } from './cases/index.mts';
import { newChangedRun } from '../helpers/fixtures.mts';
import { useOperations } from './support/details.mts';
import { inputOf, type OperationCase } from './support/operations.mts';
import { locator } from '../helpers/parameters.mts';
import { outputSchema, schemaOf } from './support/schemas.mts';
import { Triggers } from './support/triggers.mts';

// `npm run schemas` writes the files that these tests compare.

const FOLDER = join(import.meta.dirname, '../../nodes/Maxun/__schema__/v1.0.0');
const { sandbox, succeed } = useOperations(QUICK);
const triggers = new Triggers(sandbox);
const PERSONAL = { teamId: '' };

const nameOf = ({ resource, operation }: OperationCase) => `${resource}: ${operation}`;

const namesGiving = (kind: OperationCase['gives']) =>
	kind === undefined ? [] : CASES.filter(({ gives }) => gives === kind).map(nameOf);

const DATA = {
	textData: { Label: 'a' },
	listData: [{ Label: 'a' }],
	crawlData: [{ metadata: { url: '', title: '' }, markdown: '' }],
	searchData: { query: '', results: [{ title: '', url: '', snippet: '' }] },
	markdown: '#',
	html: '<p>',
	text: 'a',
	summary: 'a',
	links: ['https://example.com/'],
	promptResult: 'a',
	documentData: { field: 'a' },
};

async function itemsOf({ resource, operation, prepare }: OperationCase): Promise<IDataObject[]> {
	await sandbox.control.settings({ slots: 5 });
	const work = await prepare(sandbox, PERSONAL);
	const { output: _, ...given }: INodeParameters = work.parameters;
	// The case's run has no data, so it has no rows.
	const isRun = resource === 'run' && operation === 'get';
	const parameters = isRun ? { ...given, output: 'simplified' } : given;
	const input = inputOf([{ ...work, parameters }]);
	const { json } = await succeed(resource, operation, parameters, { input });
	expect(json.length).toBeGreaterThan(0);
	return json;
}

/** A schema file's text, formatted like the repository's other files. */
async function asFile(schema: object, file: string): Promise<string> {
	return await format(JSON.stringify(schema), { ...(await resolveConfig(file)), parser: 'json' });
}

const schemas = new Map<string, Schema>();

/** The fields that are always present. All others depend on an agent's prompt or a robot's columns. */
const OPEN: Record<string, IDataObject> = {
	'document: extractData': { fileName: '' },
	'run: runOnUrls': { pageUrl: '' },
	'web: extract': {},
	'web: extractRows': {},
};

describe('the output of each operation', () => {
	it.each(CASES)(
		'$resource: $operation returns items from which its schema is generated',
		async (operation) => {
			const items = await itemsOf(operation);
			const open = OPEN[nameOf(operation)];
			schemas.set(nameOf(operation), schemaOf(open ? [open] : items));
		},
	);

	it('a run with all kinds of data returns items from which the schema is generated', async () => {
		const { runId } = await newChangedRun(sandbox, PERSONAL);
		await sandbox.control.patchRun(runId, { data: DATA, error: 'a' });
		const parameters = { runId: locator(runId), output: 'simplified' };
		const whole = schemaOf((await succeed('run', 'get', parameters)).json);
		expect(whole.properties?.data?.properties).toHaveProperty('documentData');
		for (const name of namesGiving('result')) schemas.set(name, whole);
	});

	it('a page in all formats returns items from which the schema is generated', async () => {
		const url = `${sandbox.siteUrl}/products`;
		const formats = ['html', 'links', 'markdown', 'summary', 'text'];
		const options = { smartQueries: 'What does it cost?' };
		const { json } = await succeed('web', 'scrape', { url, formats, options });
		schemas.set('web: scrape', schemaOf(json));
	});

	it.each(CASES)('$resource: $operation has the schema in the package', async (operation) => {
		const name = nameOf(operation);
		const others = namesGiving(operation.gives).flatMap((other) => schemas.get(other) ?? []);
		const schema = outputSchema(schemas.get(name) ?? {}, others);
		const file = join(FOLDER, operation.resource, `${operation.operation}.json`);
		await expect(await asFile(schema, file)).toMatchFileSnapshot(file);
	});
});

it("the trigger has an event's schema in the package", async () => {
	const { robotId, runId } = await newChangedRun(sandbox, PERSONAL);
	await sandbox.control.patchRun(runId, { data: DATA, error: 'a' });
	const host = await triggers.host([robotId], { output: 'simplified' });
	await host.listen();
	const items = await host.waitForItems(1);
	const schema = outputSchema(schemaOf(items.map(({ json }) => json)), []);
	expect(schema).toMatchObject({ properties: { run: { properties: { data: {} } } } });
	const file = join(FOLDER, 'output.json');
	await expect(await asFile(schema, file)).toMatchFileSnapshot(file);
});
