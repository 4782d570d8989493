import type {
	IBinaryData,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { MaxunFault } from '../api/fault';
import type { Connection } from './transport';

const DATA_URI = /^data:[^,]*;base64,/i;

/** Milliseconds. */
const TIMEOUT = 60_000;

type ImageContext = IExecuteFunctions | IPollFunctions | IWebhookFunctions;

/**
 * An image as n8n keeps files, from an address, a data URI or base64 text; its type is read from its content.
 *
 * @param timeout milliseconds that a download may take
 * @throws MaxunFault when the address does not give it
 */
export async function readImage(
	context: ImageContext,
	connection: Pick<Connection, 'baseUrl' | 'credential'>,
	source: string,
	name: string,
	timeout = TIMEOUT,
): Promise<IBinaryData> {
	const data = /^https?:/i.test(source)
		? await download(context, connection, source, timeout)
		: decode(source);
	const file = await context.helpers.prepareBinaryData(data, name);
	return {
		...file,
		fileName: name.includes('.') ? name : `${name}.${file.fileExtension ?? 'png'}`,
	};
}

function decode(source: string): Buffer {
	const text = source.replace(DATA_URI, '');
	if (/^[\w+/=\s-]+$/.test(text)) return Buffer.from(text, 'base64');
	throw new MaxunFault(
		'A screenshot is in a form that this node does not know',
		`It begins: ${source.slice(0, 40)}`,
	);
}

/** The key goes along only to the API's own address, never to a store of pictures elsewhere or where a redirect leads. */
async function download(
	context: ImageContext,
	{ baseUrl, credential }: Pick<Connection, 'baseUrl' | 'credential'>,
	url: string,
	timeout: number,
): Promise<Buffer> {
	const own = new URL(url).origin === new URL(baseUrl).origin;
	const request: IHttpRequestOptions = {
		url,
		encoding: 'arraybuffer',
		timeout,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: own,
	};
	const { helpers } = context;
	const sending: Promise<IN8nHttpFullResponse> = own
		? helpers.httpRequestWithAuthentication.call(context, credential, request)
		: helpers.httpRequest(request);
	const { statusCode, body } = await sending.catch((error: unknown) => {
		throw unavailable(url, error instanceof Error ? error.message : String(error));
	});
	if (statusCode !== 200 || !(body instanceof Uint8Array))
		throw unavailable(url, `status ${statusCode}`);
	return Buffer.from(body);
}

const unavailable = (url: string, reason: string) =>
	new MaxunFault('A screenshot could not be downloaded', `${url.split('?')[0]}: ${reason}`);
