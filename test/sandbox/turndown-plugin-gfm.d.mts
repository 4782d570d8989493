declare module '@joplin/turndown-plugin-gfm' {
	import type TurndownService from 'turndown';

	/** Adds table support. */
	export function tables(service: TurndownService): void;
}
