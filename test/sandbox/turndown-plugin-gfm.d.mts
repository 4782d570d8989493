declare module '@joplin/turndown-plugin-gfm' {
	import type TurndownService from 'turndown';

	/** Lets Turndown write tables. */
	export function tables(service: TurndownService): void;
}
