import { moveDate } from '../../helpers/engine/time.mts';

/** @returns moves the date forward, for the rest of a test. Timers keep their delays. */
export const useClock = () => (minutes: number) => moveDate(minutes * 60_000);
