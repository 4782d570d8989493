import { z } from 'zod';

/** What `execute` has to know about the run that an item comes from. */
export const RunMark = z.object({
	id: z.string(),
	robotId: z.string(),
	/** Since when the robot is watched, according to the delivery. */
	since: z.record(z.string(), z.number()),
	/** The trigger's URL. */
	url: z.string(),
	/** Whether to look for missed runs in any case. */
	isSearch: z.boolean(),
});
export type RunMark = z.output<typeof RunMark>;
