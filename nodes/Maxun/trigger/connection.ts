import type { ConnectionOptions } from '../http/connection';
import type { RunReader } from '../runs/types';
import type { MaxunServer } from '../servers/types';
import type { TriggerNode } from './triggerNode';

/** What a trigger uses to list runs. */
export interface TriggerConnection {
	readonly maxun: MaxunServer;
	/** Writes to n8n's log. */
	warn(message: string): void;
	/** Logs robots that no longer exist, each once per process instead of on each poll. */
	warnOfMissing(robotIds: string[]): void;
}

/** What a trigger uses to list runs and create items from them. */
export type EventConnection = TriggerConnection & Pick<RunReader, 'maxun' | 'toBinary'>;

/** Connects a trigger to its server. */
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
