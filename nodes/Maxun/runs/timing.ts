import { SECOND } from '../http/time';

/**
 * Milliseconds until the next poll: a tenth of the time since a run last started or ended. The delay is at most 10%,
 * and hours of waiting cost few requests.
 */
export const pollInterval = (idle: number) => Math.min(Math.max(idle / 10, 500), 30 * SECOND);
