import { MaxunFault } from '../http/fault';
import { withoutEmpty } from '../http/request';
import { firstOf, quoted } from '../http/text';
import { isLeftOut, isObject } from '../http/values';
import type { Robot } from './entities';
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
	const noun = type ?? 'robot';
	if (found && others.length === 0) return found.id;
	if (found) throw severalNamed(wanted, noun, [found, ...others]);
	const candidates = similar.length > 0 ? similar : await robots.list(withoutEmpty({ type }), 10);
	throw noneNamed(wanted, noun, candidates);
}

function severalNamed(name: string, noun: string, found: Robot[]): MaxunFault {
	const ids = found.map(({ id, type }) => (type ? `${id} (${type})` : id));
	return new MaxunFault(
		`${found.length} ${noun}s have the name '${name}'`,
		`Select one of them by its ID: ${firstOf(ids, 10)}`,
		{ failure: { cause: 'configuration-invalid' } },
	);
}

function noneNamed(name: string, noun: string, candidates: Robot[]): MaxunFault {
	const names = candidates.map((robot) => robot.name);
	return new MaxunFault(
		`There is no ${noun} with the name '${name}'`,
		candidates.length > 0
			? `The name must match exactly, including upper and lower case. These ${noun}s exist: ${quoted(names, 10)}`
			: `The account or team has no ${noun}s`,
		{ failure: { cause: 'configuration-invalid' } },
	);
}

/** The name in a locator; undefined if it contains an ID or nothing. */
export function nameInLocator(value: unknown): string | undefined {
	if (!isObject(value) || value.mode !== 'name') return undefined;
	return isLeftOut(value.value) ? undefined : String(value.value).trim();
}

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isName = (text: string): boolean => !ID.test(text.trim());
