/** Why a rule may be broken. The simulation prints how often each exception was used. */
export const EXCEPTIONS = {
	processKilled:
		"a process was killed while it worked on the execution, so n8n doesn't continue it",
	continuedFromOldData:
		'n8n reads an execution from a slow database, which pauses again in the meantime, and continues it with the former data',
	canceled: 'somebody canceled the execution, so nobody waits for its output or reads it',
	canceledWhilePaused: "n8n doesn't tell a node that its execution was canceled during a pause",
	endNotStored:
		"n8n's database failed while n8n stored the end or the pause, so the execution is lost",
	databaseFailed: "n8n's database failed, so n8n lost the parent's turn to continue",
	anotherItemFailed:
		'the node stops with the error of another item, which is right (On Error: Stop)',
	settingsChanged:
		'somebody replaced or deleted the credential, took a role away, or broke a parameter',
	deletedByPeople: 'somebody deleted the robot with its runs',
	failedUntilTheDeadline: 'from the end of the run until the timeout, no read of it succeeded',
	pageHangs:
		"the page needed over two minutes, ten times as long as the robot's other pages, and should not hold them up",
	startUnknown:
		"the start got no answer in time, and the robot's runs, or their inputs, can't tell which one it was",
	anotherStartAtOnce:
		'on a self-hosted server, a rejected start looks like a run that failed, and somebody started the same robot in that second',
	robotUnknown: 'the creation got no answer, and Maxun could not be asked afterwards',
	anotherErrorIsShown: 'the node stops with the error of another item, and n8n shows only one',
	failedBefore:
		'the earlier run failed or was aborted by itself, so Retry On Fail starts another one',
	canceledAsSet: 'the node canceled the earlier run because Cancel on Timeout is on',
	nothingWasStarted: 'on the earlier robot, no run was started, and it was deleted',
	couldNotDelete: 'the deletion was tried and failed: the robot may stay until it expires',
	memberCannotDelete: "a team member's key may not delete robots, which a hint says",
	keyReplaced:
		'the credential was deleted, or got the key of another account, which has the robots and runs',
	newKeyShown:
		'somebody replaced the key during the execution, and a proxy repeated the new one, which the node has not read',
	namedToUser: 'the output names the robot',
	unnamedCopy: 'a self-hosted server names a copy itself, and a failure came before its renaming',
	failuresKeepItBusy: 'while requests fail or the rate limit is exceeded, the node tries again',
	otherLife:
		'n8n resumed the execution, perhaps in another process, which knows no earlier rate limit',
	nextTry: 'n8n ran the node again for Retry On Fail, which knows no earlier rate limit',
	nextNode: 'n8n ran another Maxun node, or the same one for the next round of a loop',
	timeIsUpSoon: "each try's timeout is so short that a pause would only delay the error",
	stoppedAfterTheNode:
		'the execution was killed or stopped after the node had remembered its pages, so its data is only in Maxun',
	keptForLater:
		"the robot is kept for the node's next executions, and its name says when it expires",
	planIsFull: 'the plan allows no more robots, so a robot that was only kept for later is deleted',
	redesigned: 'the page was redesigned, so that the earlier run found nothing',
	robotKept: 'with Keep Robot, each try keeps its robot, so that people see what its run did',
} as const;

export type ExceptionName = keyof typeof EXCEPTIONS;

/** Counts the exceptions that rules use in a history. */
export class Excuses {
	readonly counts: Partial<Record<ExceptionName, number>> = {};

	/** Uses an exception that applies. @returns whether there is such an exception */
	use(name: ExceptionName | undefined): boolean {
		if (name === undefined) return false;
		this.counts[name] = (this.counts[name] ?? 0) + 1;
		return true;
	}
}
