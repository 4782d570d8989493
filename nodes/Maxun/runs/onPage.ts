import { Busy } from '../servers/busy';
import type { StartOptions } from '../servers/types';
import { startTemporary } from './temporary';
import type { RunContext, StartedRun } from './types';

/** The field of each item with the URL of its page. Rows often have a `url` of their own. */
export const PAGE_URL = 'pageUrl';

/** Which page to run a robot on. */
interface Page {
	robotId: string;
	url: string;
	options: StartOptions;
	/** Timeout in minutes. */
	waitFor: number;
}

/** Starts a run of a temporary copy of a robot on a page. */
export async function startOnPage(
	context: RunContext,
	{ robotId, url, options, waitFor }: Page,
): Promise<StartedRun | Busy> {
	const { robots } = context.maxun;
	const started = await startTemporary(context, {
		kind: 'robot',
		what: 'urls',
		keep: false,
		waitFor,
		create: async (name) => await robots.duplicate(robotId, url, name),
		options,
		fields: { [PAGE_URL]: url },
	});
	return started instanceof Busy ? started : { ...started, duplicateOf: robotId };
}
