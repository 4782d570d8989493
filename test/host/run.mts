import { fileURLToPath } from 'node:url';
import { startVitest, type Vitest } from 'vitest/node';
import { findChromium } from './browser.mts';
import { bringN8n } from './install.mts';

/** The last run's tests: how many passed and how many did not. */
function count(vitest: Vitest): { passed: number; failed: number } {
	const modules = vitest.state.getTestModules();
	const results = modules.flatMap((module) => [...module.children.allTests()]);
	const passed = results.filter((test) => test.result().state === 'passed').length;
	return { passed, failed: results.length - passed };
}

// Before the tests, so that the time for installing is visible.
console.log(`Browser: ${findChromium()}`);
const { n8n } = await bringN8n(console.log);
console.log(`n8n: ${n8n}`);

const config = fileURLToPath(new URL('vitest.config.mts', import.meta.url));
const given = process.argv.slice(2);
if (given.includes('--full')) process.env.SUITE_SIZE = 'full';
const filters = given.filter((argument) => argument !== '--full');
const vitest = await startVitest('test', filters, { config, watch: false });
const { passed, failed } = count(vitest);
await vitest.close();
console.log(`In the real n8n: ${passed} passed, ${failed} failed`);
if (failed > 0 || passed === 0) process.exitCode = 1;
