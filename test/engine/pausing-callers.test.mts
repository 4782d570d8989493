import type { INode, INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import type { WaitingOptions } from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { usePausing } from './support/pausing.mts';

const paused = usePausing();
const { sandbox } = paused;

async function started(options: Partial<WaitingOptions>, parameters: INodeParameters = {}) {
	await paused.startHost(parameters, options);
	return paused.host.start([{ robotId: await newRobot(sandbox) }]);
}

/** Runs an execution until it ends or pauses. */
async function run(...setup: Parameters<typeof started>) {
	const execution = await started(...setup);
	const looks = () => sandbox.count(/^GET .*\/runs\/[^/]+$/);
	// The node polls every 500 milliseconds, and might pause after a second.
	await expect.poll(looks).toBeGreaterThan(2);
	await paused.finishRuns();
	const { status } = await paused.host.reaches(execution, ['success', 'error', 'waiting']);
	return { status, hints: paused.host.hints(execution) };
}

const node = (type: string, parameters: INode['parameters'] = {}) => ({
	type: type.includes('.') ? type : `n8n-nodes-base.${type}`,
	parameters,
});
const webhook = (responseMode: string) => ({
	mode: 'webhook' as const,
	start: node('webhook', { responseMode }),
});
const CHAT = '@n8n/n8n-nodes-langchain.chatTrigger';
const CALLER = /another caller is waiting for the response/;

it.each<[string, Partial<WaitingOptions>, RegExp]>([
	['a person in the editor', { mode: 'manual' }, /started manually/],
	['a parent workflow', { mode: 'integrated' }, /it is a sub-workflow/],
	['a command', { mode: 'cli' }, /'cli' mode/],
	['a chat', { mode: 'chat' }, CALLER],
	['a webhook that responds with the last node', webhook('lastNode'), CALLER],
	['a webhook that streams', webhook('streaming'), CALLER],
	['a webhook with a node that responds', webhook('responseNode'), CALLER],
	['a webhook with an expression', webhook('={{ $json.mode }}'), CALLER],
	['a chat with its default response', { mode: 'webhook', start: node(CHAT) }, CALLER],
	[
		'a chat with a response mode',
		{ mode: 'webhook', start: node(CHAT, { options: { responseMode: 'streaming' } }) },
		CALLER,
	],
	['a form', { mode: 'webhook', start: node('formTrigger') }, CALLER],
])(
	'an execution that somebody is waiting for keeps running, and a hint says who %s',
	async (_, options, reason) => {
		const { hints, status } = await run(options);
		expect(hints).toEqual([expect.stringMatching(reason)]);
		expect(status).toBe('success');
	},
);

it.each<[string, Partial<WaitingOptions>]>([
	['after a trigger', {}],
	['after an error', { mode: 'error' }],
	['when it is retried', { mode: 'retry', start: node(CHAT) }],
	['after a webhook that responds at once', { mode: 'webhook', start: node('webhook') }],
])('an execution that nobody waits for pauses %s', async (_, options) => {
	const execution = await started(options);
	await paused.host.reaches(execution, ['waiting']);
	expect(paused.host.hints(execution)).toEqual([]);
});

it('an execution in the legacy order keeps running, and a hint says why', async () => {
	const { status, hints } = await run({ settings: { executionOrder: 'v0' } });
	expect(status).toBe('success');
	expect(hints).toEqual([expect.stringMatching(/legacy execution order/)]);
});

it.each([
	['pausing is switched off', { pauseAfter: 0 }],
	['too little time is left', { pauseAfter: 1, timeoutMinutes: 1 }],
])('an execution keeps running if %s', async (_, options) => {
	expect(await run({}, { options })).toEqual({ status: 'success', hints: [] });
});
