import { MINUTE, SECOND } from '../http/time';
import type { PendingRun } from './types';

/**
 * Milliseconds until the next poll: a tenth of the time since a run last started or ended. The delay is at most 10%,
 * and hours of waiting cost few requests.
 */
export const pollInterval = (idle: number) => Math.min(Math.max(idle / 10, 500), 30 * SECOND);

type Waiting = Pick<PendingRun, 'timeoutStart' | 'settings' | 'context'>;

/** When a run times out, or when its tool returns without it, in epoch milliseconds. */
export const deadlineOf = ({ timeoutStart, settings, context }: Waiting) =>
	Math.min(timeoutStart + settings.timeoutMinutes * MINUTE, context.returnAt ?? Infinity);

/** Whether a tool returns without a result now, before the timeout. */
export const returnsEarly = ({
	timeoutStart,
	settings,
	context: { returnAt = Infinity },
}: Waiting) =>
	Date.now() >= returnAt && Date.now() < timeoutStart + settings.timeoutMinutes * MINUTE;
