import { recover } from '../http/fault';
import { Busy } from '../servers/busy';
import type { StartOptions } from '../servers/types';
import { isRefusedPage, SkippedPage } from './skippedPage';
import { startTemporary } from './temporary';
import type { RunContext, StartedRun, WaitSettings } from './types';

/** The field of each item with the URL of its page. Rows often have a `url` of their own. */
export const PAGE_URL = 'pageUrl';

/** Which page to run a robot on. */
interface Page {
	robotId: string;
	url: string;
	options: StartOptions;
	settings: Pick<WaitSettings, 'waitFor' | 'onFailure'>;
}

/** Starts a run of a temporary copy of a robot on a page. */
export async function startOnPage(
	context: RunContext,
	{ robotId, url, options, settings }: Page,
): Promise<StartedRun | Busy> {
	const { robots } = context.maxun;
	const starting = startTemporary(context, {
		kind: 'robot',
		what: 'urls',
		keep: false,
		waitFor: settings.waitFor,
		create: async (name) => await robots.duplicate(robotId, url, name),
		options,
		fields: { [PAGE_URL]: url },
	});
	const started = await recover(starting, {
		any: (fault) => {
			throw settings.onFailure === 'skip' && isRefusedPage(fault)
				? new SkippedPage(url, fault.message)
				: fault;
		},
	});
	return started instanceof Busy ? started : { ...started, duplicateOf: robotId };
}
