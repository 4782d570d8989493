import type { MaxunContext } from '../http/context';
import { MaxunFault } from '../http/fault';

export interface Capture {
	name: string;
	selector: string;
	attribute: string;
}

/** The HTML attributes of the usual values. */
export const ATTRIBUTES = { text: 'innerText', link: 'href', image: 'src' };

/** Paginations that click a button. */
export const BUTTONS = ['clickNext', 'clickLoadMore'];

export interface List {
	name: string;
	rowSelector: string;
	rowLimit: number;
	pagination: 'automatic' | 'clickNext' | 'clickLoadMore' | 'scrollDown' | 'scrollUp' | 'none';
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

export interface Step {
	action:
		| 'click'
		| 'goTo'
		| 'pressKey'
		| 'screenshot'
		| 'scroll'
		| 'selectOption'
		| 'type'
		| 'wait'
		| 'waitForElement';
	selector?: string;
	text?: string;
	/** The part of a login that replaces the text. */
	from?: keyof Login;
	key?: string;
	option?: string;
	seconds?: number;
	screens?: number;
	url?: string;
}

/** A column, described by its values. The first values of all columns are in the same row, and so on. */
export interface Example extends Pick<Capture, 'name' | 'attribute'> {
	/** A value is empty if it is unknown, or to take a row's first link or picture. */
	values: string[];
	/** Whether it doesn't repeat, such as a button. */
	isSingle?: boolean;
}

/** What to read without examples. `automatic` is the main list or the page's subject. */
export type RowsToRead = 'automatic' | 'list1' | 'list2' | 'list3' | 'list4' | 'list5' | 'thing';

export interface ExtractDefinition {
	url: string;
	isChecked: boolean;
	startUrl?: string;
	fields: Capture[];
	lists: List[];
	steps: Step[];
	/** The columns of the only list, until selectors replace them, and the texts of its buttons. */
	examples?: Example[];
	/** The node finds the list and its columns by itself. */
	rowsToRead?: RowsToRead;
}

/** Reads the login only if a step types it. */
export async function withLogin(
	definition: ExtractDefinition,
	read: () => Promise<Login>,
): Promise<ExtractDefinition> {
	if (!definition.steps.some(({ from }) => from)) return definition;
	const login = await read();
	const steps = definition.steps.map((step) =>
		step.from ? { ...step, text: login[step.from] } : step,
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
