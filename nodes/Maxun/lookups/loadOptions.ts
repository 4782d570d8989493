import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod';
import { MaxunFault } from '../http/fault';
import { labelOf, lookUp, selected } from './context';

/** The inputs of a robot. */
const Inputs = z.array(z.object({ name: z.string(), label: z.string().nullish() })).catch([]);

/** The inputs of the selected robot or agent. */
async function getRobotInputs(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const robot = await lookUp(this, async ({ robots }) => {
		const id = selected(this, 'robotId') || selected(this, 'agentId');
		if (!id) throw new MaxunFault('No robot selected', 'Select a robot first');
		return await robots.get(id);
	});
	return Inputs.parse(robot.inputParameters ?? robot.params).map(({ name, label }) => ({
		name: label || name,
		value: name,
	}));
}

/** All robots by name. */
async function getRobots(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const all = await lookUp(this, async ({ robots }) => await robots.list({}, Infinity));
	return all
		.map((robot) => ({ name: labelOf(robot), value: robot.id }))
		.sort((a, b) => a.name.localeCompare(b.name));
}

/** The IANA time zones, the workflow's own first. */
async function getTimezones(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const names = ['UTC', ...Intl.supportedValuesOf('timeZone')];
	return [
		{ name: 'Time Zone of the Workflow', value: '' },
		...[...new Set(names)].map((name) => ({ name, value: name })),
	];
}

export const loadOptions = { getRobotInputs, getRobots, getTimezones };
