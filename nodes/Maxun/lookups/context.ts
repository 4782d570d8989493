import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { toNodeError } from '../http/nodeError';
import { connectServer, serverKindOf } from '../servers';
import { isTemporaryName, WATCHES } from '../runs/expiry';
import type { Robot } from '../servers/entities';
import type { MaxunServer } from '../servers/types';

export function selected(context: ILoadOptionsFunctions, name: string): string {
	// n8n can't extract the value of a hidden field.
	if (context.getCurrentNodeParameter(name) === undefined) return '';
	const value = context.getCurrentNodeParameter(name, { extractValue: true });
	return typeof value === 'string' ? value : '';
}

/** A fault appears in the editor instead of an empty list. */
export async function lookUp<T>(
	context: ILoadOptionsFunctions,
	read: (maxun: MaxunServer) => Promise<T>,
): Promise<T> {
	const kind = serverKindOf(context.getCurrentNodeParameter('server'));
	const teamId = selected(context, 'generalOptions.teamId') || selected(context, 'options.teamId');
	return await connectServer(context, kind, { teamId: teamId || undefined })
		.then(read)
		.catch((error: unknown) => {
			throw toNodeError(context.getNode(), error);
		});
}

/** Not by one of the nodes, for a single execution or a watched page. */
export const isOfUser = ({ name }: Robot): boolean =>
	!isTemporaryName(name) && !name.startsWith(WATCHES);

/** For example, `Prices (scrape, ready)`. */
export function robotItem({ id, name, type, status }: Robot) {
	const details = [type, status].filter(Boolean).join(', ');
	return { name: details ? `${name} (${details})` : name, value: id };
}
