import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import { dialectOf } from '../api/service';
import { readImage } from '../core/images';
import { connect, type Call, type Connection, type SendOptions } from '../core/transport';
import type { EventPort } from './emit';
import { runReaders, type PassOver, type RunReader } from './runs';

/** The server that a trigger is set to, and how it is asked. */
interface Line {
	connection: Connection;
	call: Call;
	runs: RunReader;
	/** Tells the user of a robot that is gone while the trigger goes on with the others. */
	passOver: PassOver;
}

/** Sends requests with the node's credential, and tells where they go. */
export async function callFor(
	context: IHookFunctions | IPollFunctions | IWebhookFunctions,
	sending: SendOptions,
): Promise<Line> {
	const connection = await connect(context, dialectOf(context.getNodeParameter('server', 'cloud')));
	const call: Call = async (request, answer) => await connection.send(request, answer, sending);
	const passOver = warnOnce(context);
	return { connection, call, runs: runReaders[connection.dialect](call, passOver), passOver };
}

/** The robots that this process has told of, by trigger. */
const told = new Set<string>();

/** Writes to n8n's log, for each robot once in the life of this process: it would be so at each look. */
function warnOnce(context: IHookFunctions | IPollFunctions | IWebhookFunctions): PassOver {
	const node = context.getNode();
	return (robotId) => {
		const key = [context.getWorkflow().id, node.id, robotId].join(' ');
		if (told.has(key)) return;
		told.add(key);
		context.logger.warn(
			`${node.name}: Maxun did not find robot '${robotId}'. It has probably been deleted; the trigger goes on with its other robots`,
		);
	};
}

/** What a trigger that emits runs needs of the API. */
export async function portFor(
	context: IPollFunctions | IWebhookFunctions,
	sending: SendOptions,
): Promise<EventPort> {
	const { connection, call, runs, passOver } = await callFor(context, sending);
	return {
		call,
		runs,
		passOver,
		warn: (message) => context.logger.warn(`${context.getNode().name}: ${message}`),
		image: async (source, name) =>
			await readImage(context, connection, source, name, sending.timeout),
	};
}
