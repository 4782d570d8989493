import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases } from '../contract/cases.mts';
import { runCases, type Result } from '../contract/contract.mts';
import { Subject } from '../contract/subject.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { offers, type Offer } from './support/offers.mts';

const sandbox = useSandbox({
	settings: { selfHostedForm: 'observed', runSeconds: 0.05, selfHostedStepSeconds: 0.02 },
});

/** The limit for all cases together, in milliseconds. */
const MINUTES = 300_000;

/** Whether this kind of server offers an operation. */
const isOn = ({ displayOptions }: Offer, server: string) =>
	displayOptions?.show?.server?.includes(server) ?? true;

/** What a table in docs/self-hosted-versions.md says about a server. 'Yes' for operations that it doesn't list. */
interface Support {
	observed: string;
	newer: string;
}

const exceptions = new Map<string, Support>(
	readFileSync(new URL('../../docs/self-hosted-versions.md', import.meta.url), 'utf8')
		.split('\n')
		.map((line) => line.split('|').map((cell) => cell.trim()))
		.filter(([, name = '']) => /^[A-Z]\w+: /.test(name))
		.map(([, name = '', observed = '', newer = '']) => [name, { observed, newer }]),
);
const supportOf = (name = ''): Support => exceptions.get(name) ?? { observed: 'Yes', newer: 'Yes' };
const NOT_OFFERED = '–';

/** The table cell for a result. */
const cellOf = ({ outcome, message }: Pick<Result, 'outcome' | 'message'>) =>
	outcome === 'works' ? 'Yes' : message.replace(/^.*version ([\d.]+) or later.*$/, 'Needs $1');

describe.each(['observed', 'newer'] as const)('a server of version %s', (selfHostedSdk) => {
	let results: Result[];
	let on: Subject;

	beforeAll(async () => {
		await sandbox.control.settings({ selfHostedSdk });
		const { apiKey: key, baseUrl: url } = sandbox.serverCredentials().maxunSelfHostedApi;
		on = new Subject({ url, key, site: sandbox.siteUrl, simulated: true });
		results = await runCases(on, cases);
	}, MINUTES);
	it('operations that need a robot for one run delete it', async () => {
		const robots = await on.run('robot', 'getAll', { returnAll: true });
		expect(robots.filter(({ name }) => /^n8n (?!contract)/.test(String(name)))).toEqual([]);
	});

	afterAll(async () => expect(await on.cleanUp()).toEqual([]), MINUTES);

	it.each(cases)('$resource: $operation', async ({ resource, operation }) => {
		const id = `${resource}: ${operation}`;
		const result = results.find((entry) => entry.operation === id);
		const offer = (await offers()).find((entry) => entry.id === id);
		expect(result && cellOf(result)).toBe(supportOf(offer?.title)[selfHostedSdk]);
	});
});

it('every operation for self-hosted servers has a case', async () => {
	const offered = (await offers()).filter((offer) => isOn(offer, 'selfHosted'));
	const tried = cases.map(({ resource, operation }) => `${resource}: ${operation}`);
	expect(tried.sort()).toEqual(offered.map(({ id }) => id).sort());
});

it('the documents list exactly the operations that the editor hides', async () => {
	const all = await offers();
	const titles = all.map(({ title }) => title);
	expect([...exceptions.keys()].filter((title) => !titles.includes(title))).toEqual([]);
	const hidden = all.filter((offer) => !isOn(offer, 'selfHosted'));
	const documented = all.filter(({ title }) => supportOf(title).newer === NOT_OFFERED);
	expect(documented.map(({ title }) => title)).toEqual(hidden.map(({ title }) => title));
	expect(all.filter((offer) => !isOn(offer, 'cloud'))).toEqual([]);
});
