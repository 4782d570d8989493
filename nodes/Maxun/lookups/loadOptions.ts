import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod';
import { MaxunFault } from '../http/fault';
import { ROBOT_FIELDS } from '../servers/robotOutput';
import { RUN_FIELDS, selectableFields } from '../runs/rows';
import { labelOf, lookUp } from './context';
import { exampleRun, robotIn } from './robotData';

/** The inputs of a robot. */
const Inputs = z.array(z.object({ name: z.string(), label: z.string().nullish() })).catch([]);

/** The inputs of the selected robot or agent. */
async function getRobotInputs(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const robot = await lookUp(this, async ({ robots }) => {
		const id = robotIn(this);
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

const asOptions = (names: string[]): INodePropertyOptions[] =>
	names.map((name) => ({ name, value: name }));

/** The fields of a robot. */
async function getRobotFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return asOptions(ROBOT_FIELDS);
}

/** The fields of the selected robot's rows, as its last good run contains them, and the fields of a run. */
async function getRunFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const run = await lookUp(this, async (maxun) => await exampleRun(this, maxun));
	return asOptions(run ? selectableFields(run) : RUN_FIELDS);
}

/** The IANA time zones, the workflow's own first. */
async function getTimezones(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const names = ['UTC', ...Intl.supportedValuesOf('timeZone')];
	return [
		{ name: 'Time Zone of the Workflow', value: '' },
		...[...new Set(names)].map((name) => ({ name, value: name })),
	];
}

export const loadOptions = {
	getRobotFields,
	getRobotInputs,
	getRobots,
	getRunFields,
	getTimezones,
};
