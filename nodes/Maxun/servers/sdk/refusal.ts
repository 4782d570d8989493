import type { MaxunFault } from '../../http/fault';
import type { ExtractDefinition } from '../definition';

const FAILED = 'Workflow validation failed';

/** Why the server created no robot, in terms of the node's fields. */
export function explainRefusal(
	fault: MaxunFault,
	name: string,
	definition: ExtractDefinition,
): MaxunFault {
	const reason = withoutColours(fault.reason ?? '');
	if (fault.status === 409) {
		return fault.with({
			message: `A robot named '${name}' already exists`,
			description: `The name belongs to a different robot. Choose another name. Maxun says: ${reason}`,
			reason,
		});
	}
	if (fault.status !== 400 || !reason.startsWith(FAILED)) {
		return fault.with({ description: withoutColours(fault.description), reason });
	}
	const words = reason.slice(FAILED.length).replace(/^[\s:]+/, '');
	const [message, advice] = explained(words, definition);
	const description = `${advice}. Maxun says: ${words}`;
	return fault.with({ message, description, reason: words, forModel: description });
}

function explained(words: string, definition: ExtractDefinition): [string, string] {
	const { url, startUrl = url, steps, lists } = definition;
	if (/page\.goto|net::ERR_|could not be opened/.test(words)) {
		return [`Maxun could not open ${startUrl}`, 'Check the URL in a browser'];
	}
	const typing = steps.findIndex(
		(step) => step.action === 'type' && words.includes(`"${step.selector}"`),
	);
	// A name may contain quotation marks.
	const captures = [...words.matchAll(/Field "(.+?)": /g)].map(([, named]) => `'${named}'`);
	const typed = typing < 0 ? 'a step' : `step ${typing + 1}, 'Type Text'`;
	const subjects = [
		...captures,
		...(/type action:/.test(words) ? [typed] : []),
		...(captures.length === 0 && !/type action:/.test(words) ? [listOf(lists)] : []),
	];
	const advice =
		steps.length > 0 && definition.startUrl === undefined
			? "Maxun tries selectors before it carries out the steps. If a step reveals the element, enter the same URL in 'Start URL' as well. Otherwise, correct the selector"
			: `Open ${startUrl} in a private window, and copy the selectors again`;
	return [`Maxun could not use the selector of ${subjects.join(' and ')}`, advice];
}

/** The server doesn't say which list it means. */
const listOf = (lists: ExtractDefinition['lists']) =>
	lists.length === 1
		? `the list '${lists[0].name}'`
		: `one of the lists ${lists.map(({ name }) => `'${name}'`).join(', ')}`;

/** The text without terminal colors, which the server copies from its browser. */
const withoutColours = (text: string) =>
	text
		.split('\u001b')
		.map((part, index) => (index === 0 ? part : part.replace(/^\[[\d;]*m/, '')))
		.join('');
