import type { ConnectionOptions } from '../http/connection';
import type { RunReader } from '../runs/types';
import type { MaxunServer } from '../servers/types';
import type { TriggerNode } from './triggerNode';

/** What a trigger uses to list runs. */
export interface TriggerConnection {
	readonly maxun: MaxunServer;
	/** Writes to n8n's log. */
	warn(message: string): void;
	/** Reports robots that no longer exist, each one once per process: otherwise each poll would report them. */
	warnOfMissing(robotIds: string[]): void;
}

/** What a trigger uses to list runs and to make items of them. */
export type EventConnection = TriggerConnection & Pick<RunReader, 'maxun' | 'toBinary'>;

/** Connects a trigger to the server that its node is set to. */
export async function connectTrigger(
	trigger: TriggerNode,
	options: ConnectionOptions,
): Promise<TriggerConnection> {
	return {
		maxun: await trigger.connect(options),
		warn: trigger.warn,
		warnOfMissing: (robotIds) => robotIds.forEach((robotId) => warnOnce(trigger, robotId)),
	};
}

/** The missing robots that this process has reported, by trigger. */
const reported = new Set<string>();

function warnOnce({ id, warn }: TriggerNode, robotId: string): void {
	const key = `${id} ${robotId}`;
	if (reported.has(key)) return;
	reported.add(key);
	warn(
		`Maxun could not find robot '${robotId}'. It was probably deleted. The trigger continues with its other robots`,
	);
}
