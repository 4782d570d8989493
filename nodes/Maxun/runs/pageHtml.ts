import type { IDataObject } from 'n8n-workflow';
import { MaxunFault, recover } from '../http/fault';
import { MINUTE } from '../http/time';
import { capturedOf, type Captured } from '../results/captured';
import { reasonOf } from '../results/outcome';
import { unreadReason } from '../results/pageState';
import { hasEnded, type Run } from '../servers/entities';
import { pollInterval, whenVisible } from './start';
import { deleteRobot, startTemporary } from './temporary';
import type { PageContext, StartedRun, TemporaryRobot } from './types';

/** As the browser has it. A scrape robot would return less. */
export const PAGE_HTML = { name: 'HTML', selector: 'body', attribute: 'outerHTML' };

interface Reading {
	url: string;
	operation: string;
	minutes: number;
	create(name: string): Promise<IDataObject>;
	checkReady?(robotId: string): Promise<unknown>;
}

/** Reads a page with a temporary robot. @throws Busy if no browser is free, MaxunFault if the page can't be read */
export async function readPage(
	context: PageContext,
	{ url, operation, minutes, create, checkReady }: Reading,
): Promise<{ html: string; captured: Captured }> {
	let robot: TemporaryRobot | undefined;
	let started: StartedRun | undefined;
	try {
		started = await startTemporary(
			{ ...context, robot: undefined, onNamed: undefined, onCreated: (made) => (robot = made) },
			{
				...{ kind: 'robot', operation, keep: false, timeoutMinutes: minutes },
				...{ create, checkReady, options: {} },
			},
		);
		const captured = capturedOf(await ended(started, context, minutes));
		const rows = captured.parts.flatMap((part) => part.rows);
		const html = rows.find((row) => row[PAGE_HTML.name])?.[PAGE_HTML.name];
		const { run } = captured;
		const reason =
			run.status === 'success' ? typeof html === 'string' && unreadReason({ html }) : reasonOf(run);
		if (typeof html === 'string' && !reason) return { html, captured };
		throw new MaxunFault(
			`Maxun could not read ${url} to find the rows`,
			`${reason || 'The run returned no HTML'}. Check the page in a browser`,
			{ forModel: 'Try another page, or tell the user the reason' },
		);
	} finally {
		if (robot) await deleteRobot(context, robot, started?.runId);
	}
}

async function ended(
	{ runId, robotId, startedAt }: StartedRun,
	{ maxun }: PageContext,
	minutes: number,
): Promise<Run> {
	for (;;) {
		const left = Math.max(startedAt + minutes * MINUTE - Date.now(), 0);
		const { runs } = maxun.with({ maxWait: left });
		const reading = whenVisible(maxun, async () => await runs.get(runId, [robotId]));
		const run = await recover(reading, {
			temporary: (fault): undefined => {
				if (left === 0) throw fault;
			},
		});
		if (run && hasEnded(run)) return run;
		if (left === 0)
			throw new MaxunFault(
				`Maxun did not read the page within ${minutes} minutes`,
				"Increase 'Timeout (Minutes)', or try again later",
			);
		await maxun.sleep(Math.min(pollInterval(Date.now() - startedAt), left));
	}
}
