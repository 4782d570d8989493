import { createRequire } from 'node:module';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { Container } from '../helpers/engine/container.mts';
import { locator } from '../helpers/parameters.mts';
import { useOperations } from './support/details.mts';

const { sandbox, run } = useOperations();

const ofCore = createRequire(import.meta.resolve('n8n-core'));
const { SsrfProtectionConfig }: typeof import('@n8n/config') = ofCore('@n8n/config');
const config = Container.get(SsrfProtectionConfig);

beforeEach(() => {
	config.enabled = true;
});

afterEach(() => {
	config.enabled = false;
	config.blockedHostnames = [];
});

it("a request that n8n's SSRF protection blocks is not retried, and the error mentions the settings", async () => {
	const { error } = await run('run', 'start', { robotId: locator(DEMO.products) });
	expect(error?.message).toBe('n8n could not connect to Maxun');
	expect(error?.description).toMatch(
		/N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES.*http:\/\/127\.0\.0\.1/,
	);
	expect(await sandbox.sent()).toEqual([]);
});
