import { MaxunFault } from '../http/fault';
import { withoutEmpty } from '../http/request';
import { firstOf, quoted } from '../http/text';
import { isLeftOut, isObject } from '../http/values';
import type { MaxunServer } from './types';

/** The locators with a mode 'By Name', and the type of robot that they select. */
export const NAMED_LOCATORS = [
	['robotId', undefined],
	['agentId', 'agent'],
] as const;

/** The ID of the only robot with this name, except for spaces around it. */
export async function idOfNamed(
	{ robots }: Pick<MaxunServer, 'robots'>,
	name: string,
	type?: 'agent',
): Promise<string> {
	const wanted = name.trim();
	const similar = await robots.list(withoutEmpty({ q: wanted, type }), Infinity);
	const [found, ...others] = similar.filter((robot) => robot.name.trim() === wanted);
	if (found && others.length === 0) return found.id;
	const noun = type ?? 'robot';
	const notOne = (message: string, advice: string) =>
		new MaxunFault(message, advice, { failure: { cause: 'configuration-invalid' } });
	if (found) {
		const ids = [found, ...others].map((one) => (one.type ? `${one.id} (${one.type})` : one.id));
		throw notOne(
			`${ids.length} ${noun}s have the name '${wanted}'`,
			`Select one of them by its ID: ${firstOf(ids, 10)}`,
		);
	}
	const candidates = similar.length > 0 ? similar : await robots.list(withoutEmpty({ type }), 10);
	const names = candidates.map((robot) => robot.name);
	throw notOne(
		`There is no ${noun} with the name '${wanted}'`,
		names.length > 0
			? `The name must match exactly, including upper and lower case. These ${noun}s exist: ${quoted(names, 10)}`
			: `The account or team has no ${noun}s`,
	);
}

/** The name in a locator; undefined if it contains an ID or nothing. */
export function nameInLocator(value: unknown): string | undefined {
	if (!isObject(value) || value.mode !== 'name') return undefined;
	return isLeftOut(value.value) ? undefined : String(value.value).trim();
}

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isName = (text: string): boolean => !ID.test(text.trim());
