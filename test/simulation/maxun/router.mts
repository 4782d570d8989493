import type { Request, Response } from '../network.mts';

type Handler = (ids: string[], request: Request) => Response | Promise<Response>;

/** Routes by `METHOD /path`, a regular expression. `/:id` stands for any segment. */
export type Routes = Record<string, Handler>;

/** Finds a request's route, and lets it respond. @param root the beginning of all paths, such as `/api` */
export function router(routes: Routes, root: string, missing: Response) {
	const table = Object.entries(routes).map(([route, handle]) => {
		const [method = '', path = ''] = route.split(' ');
		const pattern = new RegExp(`^${root}${path.replace(/\/:\w+/g, '/([^/]+)')}$`);
		return { method, pattern, handle };
	});
	return async (request: Request): Promise<Response> => {
		for (const { method, pattern, handle } of table) {
			const match = method === request.method && pattern.exec(request.url.pathname);
			if (match) return await handle(match.slice(1).map(decodeURIComponent), request);
		}
		return missing;
	};
}

/** The object in a request's body; empty if there is none. */
export const fieldsOf = (value: unknown): Record<string, unknown> =>
	typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

export const textOf = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;
