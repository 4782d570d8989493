import { parseArgs } from 'node:util';
import { DEMO, KEYS, startSandbox, TEAM_ID } from './index.mts';

const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '8787' },
		state: { type: 'string', default: '.sandbox/state.json' },
	},
});
const sandbox = await startSandbox({ port: Number(values.port), stateFile: values.state });

// A second Ctrl-C kills the process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => {
		console.log('Closing…');
		void sandbox.close().then(() => process.exit());
	});
}

const listed = (entries: Record<string, string>) =>
	Object.entries(entries).map(([name, value]) => `  ${name.padEnd(9)} ${value}`);

const lines = [
	`API        ${sandbox.baseUrl}`,
	`Self-host  ${sandbox.url}/api (x-api-key)`,
	`Demo site  ${sandbox.siteUrl}/`,
	`State      ${values.state}`,
	'API keys',
	...listed(KEYS),
	`Team       ${TEAM_ID}`,
	'Robots of the owner',
	...listed(DEMO),
	'Ctrl-C stops the sandbox.',
];
console.log(lines.join('\n'));
