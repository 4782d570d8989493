import { choiceField, dateField, named } from '../../fields/field';
import { reading } from '../operation';
import { robotField } from '../../fields/locators';
import type { Problem } from '../../fields/parameters';
import { periodOf, type Period } from '../../fields/runFilters';
import { recover } from '../../http/fault';
import { DAY } from '../../http/time';
import { capturedOf } from '../../results/captured';
import { rowsOf } from '../../results/rows';
import { statisticsOf } from '../../results/statistics';
import type { Run } from '../../servers/entities';
import type { ServerParts } from '../../servers/types';

const DAYS = { day: 1, week: 7, month: 30 };

/** 100 requests to Maxun Cloud. */
const MOST_COUNTED = 10_000;

const ofCustomPeriod = { show: { period: ['custom'] } };

const checkPeriod = ({ period, since }: Period & { period: string }): Problem =>
	period === 'custom' && !since ? [[['since'], 'is required']] : undefined;

/** Even if the run is older than the period. */
async function lastSuccess(runs: ServerParts['runs'], robotId: string, ofPeriod: Run[]) {
	const run =
		ofPeriod.find(({ status }) => status === 'success') ??
		(await runs.list(robotId, { status: ['success'] }, 1)).at(0);
	const reading = run && runs.get(run.id, [robotId]);
	const read = reading && (await recover(reading, { notFound: () => undefined }));
	return {
		lastSuccessAt: run?.finishedAt ?? null,
		lastSuccessRunId: run?.id ?? null,
		lastSuccessRows: read ? rowsOf(capturedOf(read)).length : null,
	};
}

export const getStatistics = reading({
	value: 'getStatistics',
	name: 'Get Statistics',
	action: 'Get robot statistics',
	description:
		'Retrieve how many runs were completed, how long they took and when the last one was completed',
	builderHint: 'Use this to monitor a robot: its success rate, and when it last returned rows.',
	properties: [
		robotField,
		choiceField('Period', 'period', 'Count the runs that started in this period', {
			options: named({
				'Last 24 Hours': 'day',
				'Last 7 Days': 'week',
				'Last 30 Days': 'month',
				Custom: 'custom',
			}),
			default: 'week',
		}),
		dateField('Since', 'since', 'The beginning of the period, in the time zone of the workflow', {
			displayOptions: ofCustomPeriod,
		}),
		dateField(
			'Until',
			'until',
			'The end of the period, in the time zone of the workflow. Leave empty for the current time.',
			{ displayOptions: ofCustomPeriod },
		),
	],
	rule: checkPeriod,
	needs: ({ runs }) => runs,
	run: async (runs, { robotId, period, ...custom }, { timezone, hint }) => {
		const limits: Period =
			period === 'custom'
				? periodOf(custom, timezone)
				: { since: new Date(Date.now() - DAYS[period] * DAY).toISOString() };
		const listed = await runs.list(robotId, limits, MOST_COUNTED);
		if (listed.length === MOST_COUNTED) {
			hint(`The statistics only cover the latest ${MOST_COUNTED} runs. Select a shorter period`);
		}
		return {
			robotId,
			...limits,
			until: limits.until ?? new Date().toISOString(),
			...statisticsOf(listed),
			...(await lastSuccess(runs, robotId, listed)),
		};
	},
});
