import type { IDataObject } from 'n8n-workflow';
import { withoutUndefined } from '../../http/request';
import { SECOND } from '../../http/time';
import { isObject } from '../../http/values';
import type { Step } from '../definition';
import { onPage } from './selector';

type Argument = Exclude<keyof Step, 'action' | 'from'>;

interface StoredAction {
	name: string;
	args: Argument[];
	loads?: true;
}

const ACTIONS: Record<Step['action'], StoredAction> = {
	click: { name: 'click', args: ['selector'], loads: true },
	goTo: { name: 'goto', args: ['url'], loads: true },
	// Presses the key in the focused element. For `press`, the server would expect an encrypted key.
	pressKey: { name: 'keyboard.press', args: ['key'], loads: true },
	screenshot: { name: 'screenshot', args: [] },
	scroll: { name: 'scroll', args: ['screens'] },
	selectOption: { name: 'selectOption', args: ['selector', 'option'], loads: true },
	type: { name: 'type', args: ['selector', 'text'] },
	wait: { name: 'waitForTimeout', args: ['seconds'] },
	waitForElement: { name: 'waitForSelector', args: ['selector', 'seconds'] },
};

export const LOADED: IDataObject = { action: 'waitForLoadState', args: ['networkidle'] };

/** @param isHidden whether the server may not see a step's input when it creates the robot */
export function actionsOf(step: Step, index: number, isHidden: boolean): IDataObject[] {
	const { name, args, loads } = ACTIONS[step.action];
	const given = args.map((argument) => argumentFor(step, argument));
	if (step.action === 'type' && isHidden) given.push(inputType(step.selector));
	const action = step.action === 'screenshot' ? screenshot(index) : { action: name, args: given };
	return loads ? [action, LOADED] : [action];
}

/** The server looks up each input's type, unless the step contains it. */
const inputType = (selector = '') => (/pass|pwd/i.test(selector) ? 'password' : 'text');

/** If two screenshots have the same name, the server keeps only one of them. */
const screenshot = (index: number): IDataObject => ({
	action: 'screenshot',
	name: `Screenshot ${index + 1}`,
	args: [{ fullPage: true, type: 'png' }],
});

function argumentFor(step: Step, name: Argument) {
	const value = step[name];
	if (name === 'selector') return onPage(String(value));
	if (name !== 'seconds') return value;
	const milliseconds = Number(value) * SECOND;
	return step.action === 'waitForElement' ? { timeout: milliseconds } : milliseconds;
}

/** A stored action in the editor's terms, without typed text; undefined if it isn't a step. */
export function describedStep(stored: IDataObject): IDataObject | undefined {
	const found = Object.entries(ACTIONS).find(([, { name }]) => name === stored.action);
	if (!found) return undefined;
	const [action, { args }] = found;
	const given = argumentsOf(stored);
	const shown = args
		.filter((name) => name !== 'text')
		.map((name, index) => [name, argOf(name, given[index])]);
	return withoutUndefined({ action, ...Object.fromEntries(shown) });
}

export const argumentsOf = ({ args }: IDataObject): unknown[] =>
	Array.isArray(args) ? args : [args];

function argOf(name: Argument, argument: unknown) {
	const value = isObject(argument) ? argument.timeout : argument;
	if (name === 'seconds') return value === undefined ? undefined : Number(value) / SECOND;
	return name === 'screens' ? Number(value ?? 1) : String(value);
}
