import { execa } from 'execa';

const TYPESCRIPT_7 = 'node_modules/typescript-7/bin/tsc';

/** The checks that take less than a minute and don't need a server. The build checks the package's types. */
const CHECKS: Record<string, string[]> = {
	lint: ['npm', 'run', '--silent', 'lint'],
	build: ['npm', 'run', '--silent', 'build'],
	// TypeScript 7 takes a sixth of the time. n8n's build still requires version 5.
	'types of the tests': [
		'node',
		TYPESCRIPT_7,
		'--project',
		'test/tsconfig.json',
		'--singleThreaded',
	],
	'unit tests': ['vitest', 'run', '--project', 'unit', '--reporter', 'default'],
};

/** Runs a check and prints the outcome, with its output if it fails. @returns whether it passed */
async function passes(name: string, [command = '', ...args]: string[]): Promise<boolean> {
	const began = performance.now();
	const { failed, all } = await execa(command, args, {
		preferLocal: true,
		all: true,
		reject: false,
	});
	const seconds = ((performance.now() - began) / 1000).toFixed(1);
	console.log(`${failed ? '✗' : '✓'} ${name} (${seconds} s)`);
	if (failed) console.log(all);
	return !failed;
}

const results = await Promise.all(
	Object.entries(CHECKS).map(async (check) => await passes(...check)),
);
process.exitCode = results.every((passed) => passed) ? 0 : 1;
