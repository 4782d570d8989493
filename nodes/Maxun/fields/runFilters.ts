import { choiceField, choicesField, dateField, flagField, named, type OptionValues } from './field';
import { MaxunFault } from '../http/fault';
import { filters } from './collections';
import type { RunFilter } from '../servers/types';
import { toInstant } from './parameters';
import { ifServerHas } from './server';

export const SOURCES = named({
	API: 'api',
	CLI: 'cli',
	Dashboard: 'dashboard',
	MCP: 'mcp',
	Schedule: 'schedule',
	SDK: 'sdk',
});

const runFilters = [
	flagField(
		'Has Changes',
		'hasChanges',
		'Whether to return only runs that differ from the previous run, or only runs that do not',
		ifServerHas('changesFilter'),
	),
	dateField(
		'Since',
		'since',
		'Only return runs that started after this time, in the time zone of the workflow',
	),
	choiceField('Started By', 'source', 'Only return runs that were started in this way', {
		options: SOURCES,
		default: 'schedule',
	}),
	choicesField('Status', 'status', 'Only return runs with one of these statuses', {
		options: named({
			Canceled: 'aborted',
			Completed: 'success',
			Failed: 'failed',
			Queued: 'queued',
			Running: 'running',
		}),
		default: ['success'],
	}),
	dateField(
		'Until',
		'until',
		'Only return runs that started before this time, in the time zone of the workflow',
	),
];

export const runFiltersField = filters(runFilters);

/** The filter with its times in UTC. @throws MaxunFault if the period ends before it begins */
export function runFilter(
	{ since, until, ...others }: OptionValues<(typeof runFilters)[number]>,
	timezone: string,
): RunFilter {
	const period = { since: toInstant(since, timezone), until: toInstant(until, timezone) };
	if (period.since && period.until && period.since > period.until) {
		throw new MaxunFault(
			"'Since' is later than 'Until'",
			'Swap the two dates, or correct one of them',
		);
	}
	return { ...others, ...period };
}
