import { z } from 'zod';
import type { Step } from '../servers/definition';
import { selectorProblem } from '../servers/sdk/selector';
import { mustBe, oneOf, optionalNumber, optionalText, webAddress } from './parameters';

// The steps of an extract robot.

export const stepShape = {
	action: optionalText(),
	selector: optionalText(),
	// Passwords may begin or end with spaces.
	text: z
		.union(
			[z.string(), z.number().transform(String)],
			mustBe("must contain text or a number as the 'text' of each step"),
		)
		.optional(),
	/** Where the text comes from: `value`, or a part of the node's login credential. */
	textFrom: oneOf(['value', 'user', 'password']).optional(),
	seconds: optionalNumber(),
	key: optionalText(),
	option: optionalText(),
	screens: optionalNumber(),
	url: optionalText(),
};

type GivenStep = z.output<z.ZodObject<typeof stepShape>>;

/** A step, or what contradicts its action. */
export function stepOf(given: GivenStep, index: number): Step | string[] {
	const { action, selector = '', text = '', seconds = 10, screens = 1 } = given;
	const { url = '', key = 'Enter', option = '' } = given;
	const subject = `step ${index + 1}`;
	const unless = (problems: string[], step: Step) => (problems.length > 0 ? problems : step);
	const missing = (value: string, what: string) =>
		value ? [] : [`must contain ${what} for ${subject}`];
	const atElement = selectorProblems(subject, selector);
	const tooLong = secondsProblems(subject, seconds);
	switch (action) {
		case 'click':
			return unless(atElement, { action, selector });
		case 'type':
			if (given.textFrom === 'user' || given.textFrom === 'password') {
				return unless(atElement, { action, selector, text: '', from: given.textFrom });
			}
			return unless([...atElement, ...missing(text, 'text')], { action, selector, text });
		case 'pressKey':
			return { action, key };
		case 'selectOption':
			return unless([...atElement, ...missing(option, 'an option')], { action, selector, option });
		case 'waitForElement':
			return unless([...atElement, ...tooLong], { action, selector, seconds });
		case 'wait':
			return unless(tooLong, { action, seconds });
		case 'scroll': {
			const isValid = Number.isInteger(screens) && screens >= 1 && screens <= 100;
			const problem = `must contain a whole number from 1 to 100 for 'Screens' in ${subject}`;
			return isValid ? { action, screens } : [problem];
		}
		case 'goTo': {
			const isValid = webAddress().safeParse(url).success;
			return isValid ? { action, url } : [`must contain a URL for ${subject}`];
		}
		case 'screenshot':
			return { action };
		default:
			return [`must contain a known action for ${subject}`];
	}
}

const secondsProblems = (subject: string, seconds: number): string[] =>
	seconds > 0 && seconds <= 120
		? []
		: [`must contain a number up to 120 for 'Seconds' in ${subject}`];

/** @param problemOf finds out why Maxun can't use a selector */
export function selectorProblems(
	subject: string,
	selector: string | undefined,
	problemOf = selectorProblem,
): string[] {
	if (!selector) return [`must contain a selector for ${subject}`];
	const problem = problemOf(selector);
	return problem ? [`must contain a valid selector for ${subject}. ${problem}`] : [];
}
