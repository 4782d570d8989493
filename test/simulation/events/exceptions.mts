/** Exceptions from rules, with the reasons. Each is counted when it is used. */
export const EXCEPTIONS = {
	killedWithItsExecution:
		'n8n was killed between storing an execution and emitting its items. n8n shows the execution as crashed.',
	pollNotStored:
		'Without durable cursors, n8n keeps the data of a poll even if it can not store the execution. It also keeps it if the database fails after it has stored an execution, which then never begins.',
	killedWhilePublishing:
		'n8n 2.41 shows a workflow as published if it was killed before it had called all hooks.',
	slowTable:
		'Two executions recorded runs at the same time, and meanwhile an access to the table of processed items took more than 50 ms. The table is not atomic.',
	recordLost:
		'A third execution took more than 400 ms to write the table, so it overwrote a record that was confirmed in the meantime. This needs two workers that record runs in the same second, and one such access: 1 of 200 here, although n8n usually takes a few milliseconds.',
	tableFailed: 'The table of processed items failed, so nothing can tell what is repeated.',
	manyOthersSince: 'The table remembers about 2,400 runs, so an event for an older one repeats it.',
	watchEndedEarlier: 'The workflow was changed or unpublished before the run had to start it.',
	historyEndedEarlier: 'The history ended before the run had to start the workflow.',
	copiedWithItsData:
		"A workflow that is copied or moved with its saved data, which n8n's editor does not copy, has the cursor of the first one. Its polls continue there: at most the runs since the last poll.",
	robotDeleted: 'The runs of a deleted robot are deleted, too.',
	robotStaysBroken: 'The runs of the robot can not be read or listed until the end.',
	unreadAtFirst:
		"A robot could not be listed when a polling trigger was published. Its watch begins when it can: a self-hosted server's time is only known from its runs.",
	writtenEarlier:
		"By the server's own clock, the run ended before the watch began, or before this clock was set back.",
	copiedWhileOff:
		'A copy of the database was published while the original n8n was off, or in the second in which an edit was published there. It looks like a changed address, so the copy and the original take the webhooks over from each other.',
	unlistedOld:
		"Maxun didn't list the robot's runs when the watch began. Until it does, an event for an old run, which Maxun doesn't send, starts the workflow. If other robots are listed, the run must have ended within the two hours before.",
	removalOverwritten:
		'While somebody unpublished the workflow, n8n stored a poll with items, or n8n 1 was still starting the workflow. n8n then saves older data over what unpublishing has saved, so the watch continues even after 72 hours.',
	writtenLater: "By the server's own clock, the run ended after the watch began.",
	overwrittenByTheWorkflow:
		'A node behind the trigger stores data. From n8n 2 on, this overwrites what the poll that started the execution has saved, for example a webhook that could not be added before, or the beginning of the watch. Then events wait for a poll without items. If n8n is killed before that poll, the watch begins again.',
	removalWasDisturbed:
		'While the webhook had to be removed, n8n or Maxun failed for longer than n8n tries.',
} as const;

export type ExceptionName = keyof typeof EXCEPTIONS;

export class Exceptions {
	readonly used: Record<string, number> = {};

	/** @returns whether the exception applies */
	excuse(name: ExceptionName, applies: boolean): boolean {
		if (applies) this.used[name] = (this.used[name] ?? 0) + 1;
		return applies;
	}
}
