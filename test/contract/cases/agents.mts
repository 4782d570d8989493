import { locator } from '../../helpers/parameters.mts';
import { expectFields, expectListed, expectThat } from '../check.mts';
import { contractCase, type Case } from '../contract.mts';
import { idOf } from '../subject.mts';
import { ended } from './runs.mts';

const resource = 'agent';
const PROMPT = 'Get the name and the price of all products';

export const agentCases: Case[] = [
	contractCase(resource, 'create', async (on) => {
		const agentId = locator(await on.agent());
		expectFields(await on.one(resource, 'get', { agentId }), { type: 'agent', status: 'ready' });
	}),
	contractCase(resource, 'get', async (on) => {
		const id = await on.agent();
		const agent = await on.one(resource, 'get', { agentId: locator(id) });
		expectFields(agent, { id, url: on.page('/products') });
	}),
	contractCase(resource, 'getAll', async (on) => {
		const id = await on.agent();
		await on.scrapeRobot();
		const agents = await on.run(resource, 'getAll', { returnAll: true });
		expectListed(agents, id);
		expectThat(
			agents.every(({ type }) => type === 'agent'),
			'the list contains other robots',
		);
	}),
	contractCase(resource, 'runAndWait', async (on) => {
		const agentId = locator(await on.agent());
		const run = { agentId, output: 'rows', ...on.runOptions() };
		const rows = await on.run(resource, 'runAndWait', run);
		expectThat(rows.length > 1, `there are ${rows.length} rows`);
		expectThat(Object.keys(rows[0] ?? {}).length > 1, 'a row has one column or none');
	}),
	contractCase(resource, 'start', async (on) => {
		const robotId = locator(await on.agent());
		const runId = idOf(await on.one(resource, 'start', { agentId: robotId, ...on.runOptions() }));
		expectFields(await ended(on, { robotId, runId: locator(runId) }), { status: 'success' });
	}),
	contractCase(resource, 'getRuns', async (on) => {
		const agentId = locator(await on.agent());
		const runs = await on.run(resource, 'getRuns', { agentId, returnAll: true });
		expectFields(runs[0] ?? {}, { status: 'success' });
	}),
	contractCase(resource, 'update', async (on) => {
		const agentId = locator(await on.agent());
		const name = on.name();
		await on.run(resource, 'update', { agentId, name });
		expectFields(await on.one(resource, 'get', { agentId }), { name });
	}),
	contractCase(resource, 'delete', async (on) => {
		const additionalFields = { name: on.name(), url: on.page('/products') };
		const id = idOf(await on.one(resource, 'create', { prompt: PROMPT, additionalFields }));
		await on.run(resource, 'delete', { agentId: locator(id) });
		const agents = await on.run(resource, 'getAll', { returnAll: true });
		expectThat(!agents.some((agent) => agent.id === id), 'the agent is still there');
	}),
];
