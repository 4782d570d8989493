import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases } from '../contract/cases.mts';
import { runCases, type Result } from '../contract/contract.mts';
import { Subject } from '../contract/subject.mts';
import { ACTION_NODE, loadPackage } from '../helpers/engine/index.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox({
	settings: { selfHostedForm: 'observed', runSeconds: 0.05, selfHostedStepSeconds: 0.02 },
});

/** For all cases together, in milliseconds. */
const MINUTES = 300_000;

/** What only newer servers support. */
const NEWER = [
	'monitoring: update',
	'monitoring: get',
	'monitoring: getDiff',
	'robot: createDocumentExtract',
	'robot: createDocumentParse',
];

describe.each(['observed', 'newer'] as const)('a server of version %s', (selfHostedSdk) => {
	let results: Result[];
	let on: Subject;

	beforeAll(async () => {
		await sandbox.control.settings({ selfHostedSdk });
		const { apiKey: key, baseUrl: url } = sandbox.serverCredentials().maxunSelfHostedApi;
		on = new Subject({ url, key, site: sandbox.siteUrl, simulated: true });
		results = await runCases(on, cases);
	}, MINUTES);
	afterAll(async () => expect(await on.cleanUp()).toEqual([]), MINUTES);

	it.each(cases)('$resource: $operation', ({ resource, operation }) => {
		const name = `${resource}: ${operation}`;
		const result = results.find((entry) => entry.operation === name);
		const refused = selfHostedSdk === 'observed' && NEWER.includes(name);
		expect([result?.outcome, result?.message]).toEqual(
			refused ? ['refused', expect.stringContaining('server version')] : ['works', ''],
		);
	});
});

it('every operation for self-hosted servers has a case', async () => {
	const { nodeTypes } = await loadPackage();
	const { properties } = nodeTypes.getByNameAndVersion(ACTION_NODE).description;
	const offered = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			options
				.filter((option) => 'value' in option)
				.filter((option) => option.displayOptions?.show?.server?.[0] !== 'cloud')
				.map(({ value }) => `${String(displayOptions?.show?.resource?.[0])}: ${String(value)}`),
		);
	const tried = cases.map(({ resource, operation }) => `${resource}: ${operation}`);
	expect([...tried].sort()).toEqual([...offered].sort());
});
