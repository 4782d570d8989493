import type { MaxunContext } from '../http/context';
import { MaxunFault } from '../http/fault';

export interface Capture {
	name: string;
	selector: string;
	attribute: string;
}

export const PAGINATIONS = [
	'automatic',
	'clickNext',
	'clickLoadMore',
	'scrollDown',
	'scrollUp',
	'none',
] as const;
export type Pagination = (typeof PAGINATIONS)[number];

export const needsButton = (pagination: string | undefined) =>
	pagination === 'clickNext' || pagination === 'clickLoadMore';

export interface List {
	name: string;
	rowSelector: string;
	rowLimit: number;
	pagination: Pagination;
	paginationSelector?: string;
	/** Relative to the row, which an empty selector selects. If there are no columns, Maxun detects them. */
	columns: Capture[];
	/** Whether single fields are enough, because the page may have no rows. */
	isOptional?: boolean;
}

export interface ReadList extends Pick<List, 'name' | 'rowSelector' | 'columns'> {
	isPaged: boolean;
}

export interface Login {
	user: string;
	password: string;
}

export type Step =
	| { action: 'click'; selector: string }
	/** The text, or the part of a login that replaces it. */
	| { action: 'type'; selector: string; text: string; from?: keyof Login }
	| { action: 'pressKey'; key: string }
	| { action: 'selectOption'; selector: string; option: string }
	| { action: 'waitForElement'; selector: string; seconds: number }
	| { action: 'wait'; seconds: number }
	| { action: 'scroll'; screens: number }
	| { action: 'goTo'; url: string }
	| { action: 'screenshot' };

/** A column, described by its values. The first values of all columns are in the same row, and so on. */
export interface Example extends Pick<Capture, 'name' | 'attribute'> {
	/** A value is empty if it is unknown, or to take a row's first link or picture. */
	values: string[];
	/** Whether it doesn't repeat, such as a button. */
	isSingle?: boolean;
}

export interface ExtractDefinition {
	url: string;
	isChecked: boolean;
	startUrl?: string;
	fields: Capture[];
	lists: List[];
	steps: Step[];
	/** The columns of the only list, until selectors replace them, and the texts of its buttons. */
	examples?: Example[];
}

/** Reads the login only if a step types it. */
export async function withLogin(
	definition: ExtractDefinition,
	read: () => Promise<Login>,
): Promise<ExtractDefinition> {
	const isNeeded = definition.steps.some((step) => step.action === 'type' && step.from);
	if (!isNeeded) return definition;
	const login = await read();
	const steps = definition.steps.map((step) =>
		step.action === 'type' && step.from ? { ...step, text: login[step.from] } : step,
	);
	return { ...definition, steps };
}

const LOGIN = 'maxunWebsiteLoginApi';

/** The texts for a login form. @throws MaxunFault if the node has no login credential */
export async function readLogin(context: MaxunContext, itemIndex = 0): Promise<Login> {
	if (!context.getNode().credentials?.[LOGIN]) {
		throw new MaxunFault(
			'A step types text from a credential, but no login credential is selected',
			"Select a credential in 'Website Login (Optional)', or set 'Text From' to 'Value'",
		);
	}
	const { user, password } = await context.getCredentials(LOGIN, itemIndex);
	return { user: String(user ?? ''), password: String(password ?? '') };
}
