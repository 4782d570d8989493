import { fileURLToPath } from 'node:url';
import { startVitest, type Vitest } from 'vitest/node';
import { demandChromium } from './browser.mts';
import { bringN8n } from './install.mts';

function count(vitest: Vitest): { passed: number; failed: number } {
	const modules = vitest.state.getTestModules();
	const results = modules.flatMap((module) => [...module.children.allTests()]);
	const count = (state: string) => results.filter((test) => test.result().state === state).length;
	const [passed, skipped] = [count('passed'), count('skipped')];
	// If a hook fails, its tests are skipped.
	return {
		passed,
		failed: results.length - passed - (modules.every((it) => it.ok()) ? skipped : 0),
	};
}

/** Suites with their own command: see `package.json`. */
const OTHERS = ['pausing', 'queue', 'real-server', 'versions'];

// Before the tests, so that users see how long the installation takes.
console.log(`Browser: ${demandChromium()}`);
const { n8n } = await bringN8n(console.log);
console.log(`n8n: ${n8n}`);

const config = fileURLToPath(new URL('vitest.config.mts', import.meta.url));
const given = process.argv.slice(2);
if (given.includes('--full')) process.env.SUITE_SIZE = 'full';
const filters = given.filter((argument) => !argument.startsWith('--'));
const only = given.find((argument) => argument.startsWith('--only='));
const testNamePattern = only?.slice('--only='.length);
const exclude = filters.length > 0 ? [] : OTHERS.map((name) => `${name}*.test.mts`);
const vitest = await startVitest('test', filters, {
	config,
	watch: false,
	testNamePattern,
	exclude,
});
const { passed, failed } = count(vitest);
await vitest.close();
console.log(`In the real n8n instance: ${passed} passed, ${failed} failed`);
if (failed > 0 || passed === 0) process.exitCode = 1;
