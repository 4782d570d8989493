import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import { dialectOf } from '../api/service';
import { readImage } from '../core/images';
import { connect, type Call, type Connection, type SendOptions } from '../core/transport';
import type { EventPort } from './emit';
import { runReaders, type RunReader } from './runs';

/** The server that a trigger is set to, and how it is asked. */
interface Line {
	connection: Connection;
	call: Call;
	runs: RunReader;
}

/** Sends requests with the node's credential, and tells where they go. */
export async function callFor(
	context: IHookFunctions | IPollFunctions | IWebhookFunctions,
	sending: SendOptions,
): Promise<Line> {
	const connection = await connect(context, dialectOf(context.getNodeParameter('server', 'cloud')));
	const call: Call = async (request, answer) => await connection.send(request, answer, sending);
	return { connection, call, runs: runReaders[connection.dialect](call) };
}

/** What a trigger that emits runs needs of the API. */
export async function portFor(
	context: IPollFunctions | IWebhookFunctions,
	sending: SendOptions,
): Promise<EventPort> {
	const { connection, call, runs } = await callFor(context, sending);
	return {
		call,
		runs,
		image: async (source, name) =>
			await readImage(context, connection, source, name, sending.timeout),
	};
}
