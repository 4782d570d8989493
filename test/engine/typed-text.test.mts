import { inspect } from 'node:util';
import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { FaultFields as Fault } from '../sandbox/faults.mts';
import { unique } from '../helpers/fixtures.mts';
import { maxun } from '../helpers/parameters.mts';
import { useOperations } from './support/details.mts';
import { usePausing } from './support/pausing.mts';
import { warnings } from './support/warnings.mts';

const { sandbox, ...operations } = useOperations({ settings: { selfHostedForm: 'observed' } });

/** A password that JSON writes differently. */
const PASSWORD = 'geheim"wort-17';

const LOGIN = { maxunWebsiteLoginApi: { user: 'ada', password: PASSWORD } };

/** Everything that the user gets, except for the node and its parameters, which n8n adds to each error. */
const shown = ({ items, error, hints }: Awaited<ReturnType<typeof operations.run>>) =>
	inspect([items, hints, error?.message, error?.description], { depth: 30 });

const echo = (text: string) => `The request ${text} cannot be carried out`;
const cut = (length: number) => `${'x'.repeat(length)} ${PASSWORD}`;

const failing = (status: number, error: string, more: object = {}) =>
	({ kind: 'status', status, body: { error, ...more } }) as const;
const DETAILS = { details: [`type action: ${PASSWORD}`] };

/** The fuzz of responses has others. */
const FAULTS: Array<[string, Omit<Fault, 'method' | 'path'>]> = [
	['a rejection', failing(400, echo(PASSWORD))],
	['details of a rejection', failing(400, 'Workflow validation failed', DETAILS)],
	[
		"a server fault that contains the request's JSON",
		failing(500, echo(JSON.stringify(['#p', PASSWORD]))),
	],
	["a proxy's page with status 200", { kind: 'body', status: 200, body: echo(PASSWORD) }],
	['a long rejection', failing(400, cut(490))],
	["a proxy's long page", { kind: 'body', status: 200, body: cut(112) }],
];

/** Reads the balance in the shop's account, after these steps on its login page. */
const account = (...steps: INodeParameters[]): INodeParameters => ({
	url: `${sandbox.siteUrl}/account`,
	specifyFields: 'fields',
	additionalFields: { startUrl: `${sandbox.siteUrl}/login` },
	steps: { values: steps },
	fields: { values: [{ name: 'Balance', selector: '.balance' }] },
});

const OPERATIONS = [
	['cloud', 'robot', 'createExtract'],
	['selfHosted', 'robot', 'createExtract'],
	['selfHosted', 'web', 'extractRows'],
] as const;

/** The first operation is tested with all faults. For the others, these are enough. */
const SOME = ['a rejection', 'a long rejection', "a proxy's long page"];

describe.each(OPERATIONS)(
	'no error contains typed text: %s, %s: %s',
	(server, resource, operation) => {
		const isFirst = server === 'selfHosted' && resource === 'robot';

		const run = async () => {
			const parameters = {
				server,
				...account({ action: 'type', selector: '#password', text: PASSWORD }),
				...(resource === 'robot' ? { name: unique('Typed') } : { options: { timeoutMinutes: 1 } }),
			};
			const credentials = { ...sandbox.credentials(), ...sandbox.serverCredentials() };
			return await operations.run(resource, operation, parameters, { credentials });
		};

		const faults = FAULTS.filter(([name]) => isFirst || SOME.includes(name));

		it.each(faults)('%s during the creation', async (_, fault) => {
			await sandbox.control.fault({ ...fault, method: 'POST', path: '^/sdk/robots$', times: 5 });
			expect(shown(await run())).not.toMatch(/geh/);
		});

		it.each(faults)('%s during the completion', async (_, fault) => {
			await sandbox.control.fault({ ...fault, method: 'PUT', path: '^/sdk/robots/', times: 5 });
			expect(shown(await run())).not.toMatch(/geh/);
		});
	},
);

describe('text from a credential', () => {
	const step = (selector: string, textFrom: string) => ({ action: 'type', selector, textFrom });
	const parameters = () => account(step('#email', 'user'), step('#password', 'password'));
	const run = async (more: object) => {
		const credentials = { ...sandbox.credentials(), ...more };
		const given = { name: unique('Login'), ...parameters() };
		return await operations.run('robot', 'createExtract', given, { credentials });
	};

	/** The password as it is, and as URLs, HTML, JSON and Base64 write it. */
	const FORMS = [
		PASSWORD,
		encodeURIComponent(PASSWORD),
		PASSWORD.replaceAll('"', '&quot;'),
		JSON.stringify(PASSWORD).slice(1, -1),
		Buffer.from(PASSWORD).toString('base64'),
	];

	it('is typed, and does not appear anywhere in the result', async () => {
		const result = await run(LOGIN);
		expect(result.error).toBeUndefined();
		const [created] = (await sandbox.sent()).filter(({ method }) => method === 'POST');
		const sent = JSON.stringify(created?.body);
		expect(sent).toContain('"#email","ada"');
		expect(sent).toContain(JSON.stringify(PASSWORD));
		const whole = inspect(result, { depth: 30 });
		for (const form of FORMS) expect(whole).not.toContain(form);
	});

	it.each(FORMS)("does not appear in an error if Maxun's text contains it as %s", async (form) => {
		await sandbox.respond(400, 'POST ^/sdk/robots$', { body: { error: echo(form) } });
		const { error, items, hints } = await run(LOGIN);
		expect(error).toBeDefined();
		const whole = inspect([items, hints, error], { depth: 30 });
		for (const other of FORMS) expect(whole).not.toContain(other);
	});

	it.each(['cloud', 'selfHosted'])('is not in the reason for a failed run (%s)', async (server) => {
		const told = warnings();
		const shows = { action: 'waitForElement', selector: `[title='${PASSWORD}']`, seconds: 1 };
		const options = { timeoutMinutes: 1, delayBeforeStart: 0 };
		const values = [step('#password', 'password'), shows];
		const given = { ...parameters(), server, options, steps: { values } };
		const credentials = { ...sandbox.credentials(), ...sandbox.serverCredentials(), ...LOGIN };
		const result = await operations.run('web', 'extractRows', given, { credentials });
		expect(result.error?.description).toContain('Waiting for');
		expect(shown(result) + told.join()).not.toMatch(/geheim/);
	});

	describe('in an execution that pauses', () => {
		const paused = usePausing(sandbox);

		it('is not in what n8n stores', async () => {
			const options = { pauseAfter: 1 };
			const execution = await paused.pause(
				[{}],
				{},
				{
					parameters: maxun('web', 'extractRows', { ...parameters(), options }),
					credentials: { ...sandbox.credentials(), ...LOGIN },
				},
			);
			const stored = inspect(paused.host.of(execution), { depth: 30 });
			for (const form of FORMS) expect(stored).not.toContain(form);
		});
	});

	it('without a credential fails before the first request', async () => {
		const { error } = await run({});
		expect(error?.message).toBe(
			'A step types text from a credential, but no login credential is selected',
		);
		expect(await sandbox.sent()).toEqual([]);
	});
});
