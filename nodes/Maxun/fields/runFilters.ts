import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import type { Run } from '../api/entities';
import { MaxunFault } from '../api/fault';
import { definedFields } from '../api/request';
import { instant, newestFirst } from '../api/selfHosted';
import { optionOnlyOn } from './server';
import { dateTime, flag, oneOf, several, toInstant } from '../core/parameters';

/** What can have started a run. */
export const SOURCES = [
	{ name: 'API', value: 'api' },
	{ name: 'CLI', value: 'cli' },
	{ name: 'Dashboard', value: 'dashboard' },
	{ name: 'MCP', value: 'mcp' },
	{ name: 'Schedule', value: 'schedule' },
	{ name: 'SDK', value: 'sdk' },
];

/** Which runs of a list are wanted. */
export const runFiltersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	options: [
		optionOnlyOn('cloud', {
			displayName: 'Has Changes',
			name: 'hasChanges',
			type: 'boolean',
			default: true,
			description:
				'Whether to return only runs that differ from the one before, or only those that do not',
		}),
		{
			displayName: 'Since',
			name: 'since',
			type: 'dateTime',
			default: '',
			description: 'Only runs from this time on, in the time zone of the workflow',
		},
		{
			displayName: 'Source',
			name: 'source',
			type: 'options',
			options: SOURCES,
			default: 'schedule',
			description: 'Only runs that were started in this way',
		},
		{
			displayName: 'Status',
			name: 'status',
			type: 'multiOptions',
			options: [
				{ name: 'Aborted', value: 'aborted' },
				{ name: 'Failed', value: 'failed' },
				{ name: 'Queued', value: 'queued' },
				{ name: 'Running', value: 'running' },
				{ name: 'Success', value: 'success' },
			],
			default: ['success'],
			description: 'Only runs in one of these states',
		},
		{
			displayName: 'Until',
			name: 'until',
			type: 'dateTime',
			default: '',
			description: 'Only runs up to this time, in the time zone of the workflow',
		},
	],
};

export const runFiltersParameter = z
	.object({
		hasChanges: flag().optional(),
		since: dateTime().optional(),
		source: oneOf(['api', 'cli', 'dashboard', 'mcp', 'schedule', 'sdk']).optional(),
		status: several(['aborted', 'failed', 'queued', 'running', 'success']).optional(),
		until: dateTime().optional(),
	})
	.default({});

/** The filters as the API takes them. */
export const filterQuery = (
	{ since, until, status, ...others }: z.output<typeof runFiltersParameter>,
	timezone: string,
): IDataObject =>
	definedFields({
		...others,
		status: status?.join(','),
		since: toInstant(since, timezone),
		until: toInstant(until, timezone),
	});

/**
 * The runs that pass the filters, newest first, for a server that cannot filter by itself.
 *
 * @throws MaxunFault where times are to be compared and the server's time zone is not known
 */
export function filterRuns(
	runs: Run[],
	{ since, until, status, source }: z.output<typeof runFiltersParameter>,
	{ timezone, serverTimezone }: { timezone: string; serverTimezone?: string },
): Run[] {
	if ((since || until) && !serverTimezone && runs.some(hasOnlyLocalTime)) {
		throw new MaxunFault(
			'Since and Until need the time zone of your server',
			'The server writes dates without one. Set Server Time Zone in the credential, or remove these filters',
		);
	}
	const from = toInstant(since, timezone) ?? '';
	const to = toInstant(until, timezone) ?? '~';
	const inTime = ({ startedAt }: Run) =>
		(!since && !until) || (String(startedAt) >= from && String(startedAt) <= to);
	const passing = runs.filter(
		(run) =>
			(!status?.length || status.some((wanted) => wanted === run.status)) &&
			(!source || source === run.source) &&
			inTime(run),
	);
	return newestFirst(passing, 'startedAt');
}

const hasOnlyLocalTime = ({ startedAt }: Run) =>
	Boolean(startedAt) && !instant(startedAt, undefined);
