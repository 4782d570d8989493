import type { MaxunFault } from '../../http/fault';
import { cut, firstOf, quoted, sentences } from '../../http/text';
import type { ExtractDefinition } from '../definition';
import { Busy } from '../busy';
import { checksOf, type Check } from './checks';

const FAILED = 'Workflow validation failed';

export function explainRefusal(
	fault: MaxunFault,
	name: string,
	definition: ExtractDefinition,
): MaxunFault {
	const { reason = '' } = fault;
	if (fault.status === 409 && fault.isMaxuns) {
		return fault.with({
			message: `A robot named '${name}' already exists`,
			description: `The name belongs to a different robot. Choose another name. Maxun says: ${reason}`,
		});
	}
	if (fault.status !== 400 || !reason.startsWith(FAILED)) return fault;
	const words = reason.slice(FAILED.length).replace(/^[\s:]+/, '');
	if (/page\.goto|net::ERR_|could not be opened/.test(words)) {
		return fault.with({
			message: `Maxun could not open ${definition.startUrl ?? definition.url}`,
			description: `Check the URL in a browser. Maxun says: ${words}`,
			reason: words,
			forModel: `Check the URL. Maxun says: ${words}`,
		});
	}
	// The server's own words if it has no browser to try the selectors with.
	if (fault.details.some((detail) => /validation browser/i.test(detail))) {
		return new Busy(
			fault.with({
				message: 'Maxun has no free browser to try the selectors',
				description: `Wait until other runs end. Maxun says: ${firstOf(fault.details, 3)}`,
				reason: words,
			}),
		);
	}
	const { subjects, sentences: causes, others } = problemsIn(fault.details, definition);
	const said = others.length > 0 ? `Maxun says: ${cut(others.join(', '), 500)}` : undefined;
	return fault.with({
		message: `Maxun could not use the selector of ${firstOf(subjects, 5)}`,
		description: sentences(...causes, adviceFor(definition), said),
		reason: sentences(...causes, ...others) || words,
		forModel: sentences(...causes, 'Use selectors that match elements on the page', said),
	});
}

const adviceFor = ({ url, startUrl = url, steps, isChecked }: ExtractDefinition) =>
	isChecked && steps.length > 0
		? "Maxun tries selectors before it carries out the steps. If a step reveals the element, turn on 'Skip Selector Check' under 'Additional Fields'. Otherwise, correct the selector"
		: `Open ${startUrl} in a private window, and copy the selector again`;

function problemsIn(details: string[], definition: ExtractDefinition) {
	const checks = checksOf(definition);
	const missing = new Map<Check, string>();
	const others: string[] = [];
	for (const detail of details) {
		const [, index, words = ''] = /^Field "check(\d+)": (.*)$/s.exec(detail) ?? [];
		const check = index === undefined ? undefined : checks[Number(index)];
		if (check) missing.set(check, words);
		else others.push(detail);
	}
	const failed = [...missing.keys()].filter(({ isSimpler }) => !isSimpler);
	// Without matching rows, there are no matching columns.
	const causes = failed.filter(({ rows }) => !failed.some(({ sent }) => sent === rows));
	const isInvalid = (check: Check) => !/did not match/.test(missing.get(check) ?? '');
	const subjects = causes.map(({ subject }) => subject);
	return {
		subjects: subjects.length > 0 ? subjects : [unknownSubject(definition, details)],
		sentences: causes
			.filter((check) => !isInvalid(check))
			.map((check) => {
				const nearest = checks.find(
					(other) => other.isSimpler && other.subject === check.subject && !missing.has(other),
				);
				const place = check.rows === undefined ? 'on the page' : 'in the rows';
				const found = nearest ? `. The nearest match is '${nearest.entered}'` : '';
				return `${check.subject}: '${check.entered}' does not match anything ${place}${found}`;
			}),
		others: [
			...causes.filter(isInvalid).map((check) => missing.get(check) ?? ''),
			...others.filter((detail) => causes.length === 0 || !isOfInput(detail)),
		],
	};
}

const isOfInput = (detail: string) => detail.startsWith('type action:');

/** The server doesn't say which input or list it means. */
const unknownSubject = ({ lists }: ExtractDefinition, details: string[]) => {
	if (details.some(isOfInput)) return 'a step';
	return lists.length === 1
		? `the list '${lists[0].name}'`
		: `one of the lists ${quoted(lists.map(({ name }) => name))}`;
};
