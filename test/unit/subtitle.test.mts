import { type INodeParameters, type INodeTypes, Workflow } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { locator } from '../helpers/parameters.mts';
import { Maxun } from '../../nodes/Maxun/Maxun.node.ts';
import { MaxunTrigger } from '../../nodes/Maxun/MaxunTrigger.node.ts';

const NODES = {
	maxun: new Maxun(),
	maxunTrigger: new MaxunTrigger(),
};

const byName = (name: string) => {
	const found = Object.entries(NODES).find(([known]) => known === name)?.[1];
	if (!found) throw new Error(`There is no node ${name}`);
	return found;
};

const nodeTypes: INodeTypes = {
	getByName: byName,
	getByNameAndVersion: byName,
	getKnownTypes: () => ({}),
};

/** The text that the canvas shows below a node's name. */
function subtitle(type: keyof typeof NODES, parameters: INodeParameters) {
	const position: [number, number] = [0, 0];
	const node = { id: '1', name: 'Maxun', type, typeVersion: 1, position, parameters };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const expression = NODES[type].description.subtitle;
	return workflow.expression.getSimpleParameterValue(node, expression, 'internal', {});
}

const SHOP = { __rl: true, mode: 'list', value: 'r1', cachedResultName: 'Shop products' };

it.each<[parameters: INodeParameters, text: string]>([
	[{ resource: 'run', operation: 'runAndWait', robotId: SHOP }, 'Run and Wait: Shop products'],
	[{ resource: 'agent', operation: 'update', agentId: SHOP }, 'Rename: Shop products'],
	[{ resource: 'robot', operation: 'getAll' }, 'Get Many: Robot'],
	[{ resource: 'web', operation: 'scrape', url: 'https://a.example/' }, 'Scrape Page: a.example'],
	[{ resource: 'web', operation: 'search', query: 'oak desks' }, 'Search Web: oak desks'],
	[{ resource: 'run', operation: 'start', robotId: locator('r1') }, 'Start: Run'],
])("the node's subtitle with %j is %j", (parameters, text) => {
	expect(subtitle('maxun', parameters)).toBe(text);
});

it.each<[parameters: INodeParameters, text: string]>([
	[{ watch: 'all', events: ['run_completed', 'run_canceled'] }, 'Run Completed, Run Canceled'],
	[{ watch: 'robots', events: ['run_changed'] }, 'Run Found Changes'],
])('the subtitle of a trigger with %j is %j', (parameters, text) => {
	expect(subtitle('maxunTrigger', parameters)).toBe(text);
});
