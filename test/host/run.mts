import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';
import { findChromium } from './browser.mts';
import { bringN8n } from './install.mts';

/** Suites with their own command: see `package.json`. */
const OTHERS = ['pausing', 'queue', 'real-server', 'versions'];

const IN_BROWSER = ['editor', 'pausing', 'selectors', 'versions'];

const config = fileURLToPath(new URL('vitest.config.mts', import.meta.url));
const given = process.argv.slice(2);
if (given.includes('--full')) process.env.SUITE_SIZE = 'full';
const only = given.find((argument) => argument.startsWith('--only='));

/** Runs suites, and prints how many tests passed. @returns the files that failed; undefined if no test ran */
async function failedIn(filters: string[], without: string[]): Promise<string[] | undefined> {
	const vitest = await startVitest('test', filters, {
		config,
		watch: false,
		testNamePattern: only?.slice('--only='.length),
		exclude: without.map((name) => `${name}*.test.mts`),
	});
	const modules = vitest.state.getTestModules();
	const tests = modules.flatMap((module) => [...module.children.allTests()]);
	const count = (state: string) => tests.filter((test) => test.result().state === state).length;
	console.log(`In the real n8n instance: ${count('passed')} passed, ${count('failed')} failed`);
	await vitest.close();
	// If a hook fails, its tests are skipped.
	const failed = modules.filter((module) => !module.ok());
	if (failed.length === 0 && count('passed') === 0) return undefined;
	return failed.map(({ moduleId }) => relative(import.meta.dirname, moduleId));
}

// n8n is installed before the tests, so that users see how long this takes.
const browser = findChromium();
if ('problem' in browser && process.env.CI === 'true') throw new Error(browser.problem);
const skipped = 'problem' in browser ? IN_BROWSER : [];
console.log(
	'path' in browser
		? `Browser: ${browser.path}`
		: `${browser.problem}. Skipped: ${skipped.join(', ')}`,
);
const { n8n } = await bringN8n(console.log);
console.log(`n8n: ${n8n}`);

const filters = given.filter((argument) => !argument.startsWith('--'));
let failed = await failedIn(filters, filters.length > 0 ? skipped : [...OTHERS, ...skipped]);
// With `--twice`, a file counts only if it fails twice.
if (failed?.length && given.includes('--twice')) {
	console.log(`Again: ${failed.join(', ')}`);
	failed = await failedIn(failed, []);
}
if (failed?.length !== 0) process.exitCode = 1;
