import type { IExecuteFunctions } from 'n8n-workflow';
import { listOf } from '../api/entities';
import { runRequests } from '../api/runs';
import { inTurn } from './concurrency';
import { readDocument } from './documents';
import type { Hints } from './hints';
import { readImage } from './images';
import type { RequestOptions } from './options';
import type { Api } from './operation';
import { readPages } from './paging';
import { DEFAULT_PATIENCE } from './retry';
import type { Connection } from './transport';

/** What an operation may do for one item, over the connection of the execution. */
export function apiFor(
	context: IExecuteFunctions,
	connection: Connection,
	options: RequestOptions,
	itemIndex: number,
	hints: Hints,
): Api {
	const { teamId, maxRetries, concurrency } = options;
	const call: Api['call'] = async (request, answer, within = Infinity) => {
		const maxWait = Math.min(DEFAULT_PATIENCE.maxWait, within);
		return await connection.send(request, answer, { teamId, patience: { maxRetries, maxWait } });
	};
	return {
		baseUrl: connection.baseUrl,
		scope: teamId ?? '',
		timezone: context.getTimezone(),
		serverTimezone: connection.serverTimezone,
		concurrency,
		runs: runRequests[connection.dialect],
		call,
		getMany: async (request, entry, wanted) =>
			await readPages(
				wanted,
				async (page) =>
					await call({ ...request, query: { ...request.query, ...page } }, listOf(entry)),
			),
		image: async (source, name) => await readImage(context, connection, source, name),
		document: async (field) => await readDocument(context, itemIndex, field),
		hint: (message) => hints.add(message),
		sleep: async (milliseconds) => await connection.sleep(milliseconds),
		throwIfCancelled: () => connection.throwIfCancelled(),
		inTurn: async (work) => await inTurn(connection.baseUrl, work),
		afterwards: () => apiFor(context, connection.afterwards(), options, itemIndex, hints),
	};
}
