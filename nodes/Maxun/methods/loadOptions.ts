import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod';
import { Robot } from '../api/entities';
import { MaxunFault } from '../api/fault';
import { getRobot, getRobots, Robots } from '../api/robots';
import type { Dialect } from '../api/service';
import { toNodeError } from '../core/errors';
import { readPages } from '../core/paging';
import { connect, type Connection } from '../core/transport';
import { chosen, dialectChosen, labelOf, teamOf } from './listSearch';

/** What a robot may take, in the forms in which it may say so. */
const Inputs = z.array(z.object({ name: z.string(), label: z.string().nullish() })).catch([]);

/** The inputs that the chosen robot or agent says it takes. */
async function getRobotInputs(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const id = chosen(this, 'robotId') || chosen(this, 'agentId');
	if (!id)
		throw toNodeError(this.getNode(), new MaxunFault('No robot is chosen', 'Choose it first'), 0);
	const robot = await connect(this, dialectChosen(this))
		.then(async (connection) => await connection.send(getRobot(id), Robot, teamOf(this)))
		.catch((error: unknown) => {
			throw toNodeError(this.getNode(), error, 0);
		});
	return Inputs.parse(robot.inputParameters ?? robot.params).map(({ name, label }) => ({
		name: label || name,
		value: name,
	}));
}

/** How all robots are read: the cloud gives pages, a self-hosted server the whole list. */
const readRobots: Record<
	Dialect,
	(connection: Connection, context: ILoadOptionsFunctions) => Promise<Robot[]>
> = {
	async cloud(connection, context) {
		const scope = teamOf(context);
		return await readPages(
			Infinity,
			async (page) => await connection.send({ ...getRobots, query: { ...page } }, Robots, scope),
		);
	},
	selfHosted: async (connection) => await connection.send(getRobots, Robots),
};

/** All robots by name, for a choice of several. A list that cannot be read shows why, never an empty one. */
async function getRobotOptions(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const read = async () => {
		const connection = await connect(this, dialectChosen(this));
		return await readRobots[connection.dialect](connection, this);
	};
	const robots = await read().catch((error: unknown) => {
		throw toNodeError(this.getNode(), error, 0);
	});
	return robots
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

export const loadOptions = { getRobotInputs, getRobots: getRobotOptions, getTimezones };
