import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { fromModel, McpClient, mcpServer, type McpTool, PATIENCE } from './mcp.mts';
import { byId } from './nodes.mts';
import { useStage } from './useStage.mts';

const stage = useStage({ settings: { runSeconds: 100 } });

const TOOLS: McpTool[] = [
	['Run a robot', 'runAndWait', { robotId: byId(fromModel('Robot')) }],
	['Get a run', 'get', { runId: byId(fromModel('Run')) }],
];

it('an MCP client with a limit of 60 seconds gets the data of a run that takes longer', async () => {
	const path = randomUUID();
	const { id } = await stage.rest.createWorkflow(mcpServer(path, 'cloud', TOOLS));
	await stage.rest.publish(id);
	const client = new McpClient(`${stage.n8n.url}/mcp/${path}`);
	await client.open();
	const begun = Date.now();
	const early = await client.call('Run_a_robot', { Robot: DEMO.products });
	expect(Date.now() - begun).toBeLessThan(PATIENCE - 2_000);
	const runId = /"runId":\s*"([^"]+)"/.exec(early.replaceAll('\\"', '"'))?.[1];
	expect(early).toContain("'Run: Get'");
	expect(runId).toBeDefined();
	await expect
		.poll(async () => await client.call('Get_a_run', { Run: runId }), {
			timeout: 100_000,
			interval: 10_000,
		})
		.toContain('Walnut desk');
	expect(await stage.sandbox.count(/^POST .*\/runs$/)).toBe(1);
});
