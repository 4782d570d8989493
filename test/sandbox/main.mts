import { parseArgs } from 'node:util';
import { messageOf } from './errors.mts';
import { DEMO, KEYS, type Sandbox, startSandbox, TEAM_ID } from './index.mts';

const USAGE = `Usage: npm run sandbox -- [--port 8787] [--state .sandbox/state.json]`;

function readOptions(): { port: number; state: string } {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '8787' },
			state: { type: 'string', default: '.sandbox/state.json' },
		},
	});
	const port = Number(values.port);
	if (!Number.isInteger(port) || port < 0 || port > 65_535) {
		throw new Error(`--port must be a port number, not "${values.port}"`);
	}
	return { port, state: values.state };
}

async function main(): Promise<void> {
	const { port, state } = readOptions();
	const sandbox = await startSandbox({ port, stateFile: state }).catch((error: unknown) => {
		const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
		throw taken ? new Error(`Port ${port} is taken; choose another one.\n${USAGE}`) : error;
	});
	closeOnSignal(sandbox);
	console.log(describe(sandbox, state));
}

/** Closes on the first Ctrl-C or SIGTERM. A second one kills the process. */
function closeOnSignal(sandbox: Sandbox): void {
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => {
			console.log('Closing…');
			sandbox.close().then(() => process.exit(0), fail);
		});
	}
}

function describe(sandbox: Sandbox, state: string): string {
	const keys = Object.entries(KEYS).map(([name, key]) => `  ${name.padEnd(9)} ${key}`);
	const robots = Object.entries(DEMO).map(([name, id]) => `  ${name.padEnd(9)} ${id}`);
	return [
		`API        ${sandbox.baseUrl}`,
		`Self-host  ${sandbox.url}/api (x-api-key)`,
		`Demo site  ${sandbox.siteUrl}/`,
		`State      ${state}`,
		'API keys',
		...keys,
		`Team       ${TEAM_ID}`,
		'Robots of the owner',
		...robots,
		'Ctrl-C stops the sandbox.',
	].join('\n');
}

function fail(error: unknown): never {
	console.error(messageOf(error));
	process.exit(1);
}

main().catch(fail);
