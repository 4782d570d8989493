import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { listOf, Robot } from '../api/entities';
import { toNodeError } from '../core/errors';
import { readPages } from '../core/paging';
import { connect } from '../core/transport';
import { labelOf, teamOf } from './listSearch';

/** All robots by name, for a choice of several. A list that cannot be read shows why, never an empty one. */
async function getRobots(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const read = async () => {
		const connection = await connect(this);
		return await readPages(
			Infinity,
			async ({ limit, offset }) =>
				await connection.send(
					{ method: 'GET', path: '/robots', query: { limit, offset } },
					listOf(Robot),
					teamOf(this),
				),
		);
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
		{ name: `Time Zone of the Workflow (${this.getTimezone()})`, value: '' },
		...[...new Set(names)].map((name) => ({ name, value: name })),
	];
}

export const loadOptions = { getRobots, getTimezones };
