import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import { readImage } from '../core/images';
import { connect, type Call, type Connection, type SendOptions } from '../core/transport';
import type { EventPort } from './emit';

/** Sends requests with the node's credential, and tells where they go. */
export async function callFor(
	context: IHookFunctions | IPollFunctions | IWebhookFunctions,
	sending: SendOptions,
): Promise<{ call: Call; baseUrl: string; credential: Connection['credential'] }> {
	const connection = await connect(context);
	return {
		call: async (request, answer) => await connection.send(request, answer, sending),
		baseUrl: connection.baseUrl,
		credential: connection.credential,
	};
}

/** What a trigger that emits runs needs of the API. */
export async function portFor(
	context: IPollFunctions | IWebhookFunctions,
	sending: SendOptions,
): Promise<EventPort> {
	const { call, ...own } = await callFor(context, sending);
	return {
		call,
		image: async (source, name) => await readImage(context, own, source, name, sending.timeout),
	};
}
