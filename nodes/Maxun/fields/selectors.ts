import {
	columnProblem,
	isXPath,
	paginationProblem,
	rowProblem,
	selectorProblem,
} from '../servers/sdk/selector';

const rule = (problemOf: (selector: string) => string | undefined) => (selector: string) => {
	const problem = problemOf(selector);
	return problem && `must be a valid selector. ${problem}`;
};

export const mustBeSelector = rule(selectorProblem);
export const mustBeRows = rule(rowProblem);
export const mustBePagination = rule(paginationProblem);

/** Maxun accepts XPath for a single field, but the robot's runs fail. */
export const mustBeFieldSelector = rule((selector) =>
	isXPath(selector)
		? `'${selector}' is XPath, which Maxun supports only in lists. Enter CSS`
		: selectorProblem(selector),
);

/** Selectors copied from a browser start at the page's root, so they match nothing within a row. */
export const mustBeColumn = rule((selector) =>
	/^(#[\w-]+|html|body)(\s*[>+~]|\s+\S)/.test(selector)
		? `'${selector}' starts from the top of the page, so keep only the part within the row`
		: columnProblem(selector),
);
