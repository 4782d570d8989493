import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { MaxunFault } from '../http/fault';
import type { RunFilter } from '../servers/types';
import { choices, collection, dateTime, flag, oneOf, several, toInstant } from './parameters';
import { optionOnlyWith } from './server';

/** The ways to start a run. */
export const SOURCES = choices([
	{ name: 'API', value: 'api' },
	{ name: 'CLI', value: 'cli' },
	{ name: 'Dashboard', value: 'dashboard' },
	{ name: 'MCP', value: 'mcp' },
	{ name: 'Schedule', value: 'schedule' },
	{ name: 'SDK', value: 'sdk' },
]);

const STATUSES = choices([
	{ name: 'Aborted', value: 'aborted' },
	{ name: 'Failed', value: 'failed' },
	{ name: 'Queued', value: 'queued' },
	{ name: 'Running', value: 'running' },
	{ name: 'Success', value: 'success' },
]);

/** Filters for a list of runs. */
export const runFiltersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	options: [
		optionOnlyWith('changesFilter', {
			displayName: 'Has Changes',
			name: 'hasChanges',
			type: 'boolean',
			default: true,
			description:
				'Whether to return only runs that differ from the previous run, or only runs that do not',
		}),
		{
			displayName: 'Since',
			name: 'since',
			type: 'dateTime',
			default: '',
			description:
				'Only return runs that started after this time, in the time zone of the workflow',
		},
		{
			displayName: 'Source',
			name: 'source',
			type: 'options',
			options: SOURCES,
			default: 'schedule',
			description: 'Only return runs that were started this way',
		},
		{
			displayName: 'Status',
			name: 'status',
			type: 'multiOptions',
			options: STATUSES,
			default: ['success'],
			description: 'Only return runs with one of these statuses',
		},
		{
			displayName: 'Until',
			name: 'until',
			type: 'dateTime',
			default: '',
			description:
				'Only return runs that started before this time, in the time zone of the workflow',
		},
	],
};

export const runFiltersParameter = collection(
	z.object({
		hasChanges: flag().optional(),
		since: dateTime().optional(),
		source: oneOf(SOURCES).optional(),
		status: several(STATUSES).optional(),
		until: dateTime().optional(),
	}),
);

/** The limits of a period in UTC. @throws MaxunFault if it ends before it begins */
export function periodOf(
	{ since, until }: { since?: string; until?: string },
	timezone: string,
): { since?: string; until?: string } {
	const period = { since: toInstant(since, timezone), until: toInstant(until, timezone) };
	if (period.since && period.until && period.since > period.until) {
		throw new MaxunFault(
			"'Since' is later than 'Until'",
			'Swap the two dates, or correct one of them',
		);
	}
	return period;
}

/** The filter with its times in UTC. */
export const runFilter = (
	{ since, until, ...others }: z.output<typeof runFiltersParameter>,
	timezone: string,
): RunFilter => ({ ...others, ...periodOf({ since, until }, timezone) });
