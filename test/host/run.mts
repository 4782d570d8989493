import { startVitest } from 'vitest/node';
import { fileURLToPath } from 'node:url';
import { findChromium } from './browser.mts';
import { bringN8n } from './install.mts';

// Before the tests, so that minutes of installing are seen for what they are.
console.log(`Browser: ${findChromium()}`);
const { n8n } = await bringN8n(console.log);
console.log(`n8n: ${n8n}`);

const config = fileURLToPath(new URL('vitest.config.mts', import.meta.url));
const vitest = await startVitest('test', process.argv.slice(2), { config, watch: false });
await vitest.close();
