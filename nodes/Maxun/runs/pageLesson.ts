import { restRegularly } from '../http/concurrency';
import { recover } from '../http/fault';
import { sentences } from '../http/text';
import { isOfPages, type Captured } from '../results/captured';
import { reasonOf } from '../results/outcome';
import { refusalOf } from '../results/pageState';
import { RunFault } from '../results/runFault';
import type { ExtractDefinition } from '../servers/definition';
import { learnAutomatically } from './automatic';
import { learnByExample } from './examples';
import { startTemporary } from './temporary';
import type { Lesson, Selectors, StartContext } from './types';

/**
 * If the node has to find the rows, Maxun reads the page first; undefined if the selectors are known.
 * @param complete reads what only the start needs, such as a login
 * @param isForOnce whether the rows of that page are enough, if the server can't create extract robots
 */
export function pageLesson<C extends StartContext>(
	definition: ExtractDefinition,
	complete: (context: C) => Promise<ExtractDefinition>,
	isForOnce = false,
): Lesson<C> | undefined {
	const { examples, rowsToRead, url, steps, startUrl } = definition;
	const isSimple = isForOnce && steps.length === 0 && startUrl === undefined;
	if (!examples) return undefined;
	// Pages have their declarations in the head.
	const captured = pageHtml(rowsToRead ? 'html' : 'body');
	return {
		key: JSON.stringify(definition),
		subject: url,
		start: async (context, timeoutMinutes) => {
			const { extractRobots, robots } = context.maxun;
			const reading = { isChecked: false, lists: [], fields: [captured], examples: undefined };
			const create = async (name: string) =>
				await recover(extractRobots.create(name, { ...(await complete(context)), ...reading }), {
					missingRoute: async (fault) => {
						if (!isSimple) throw fault;
						return await robots.create('scrape', { name, url, formats: ['html'] });
					},
				});
			return await startTemporary(context, { operation: 'example', timeoutMinutes, create });
		},
		learn: async (page, { maxun }) => {
			const learn = rowsToRead ? learnAutomatically : learnByExample;
			const rest = restRegularly(maxun.sleep);
			const { rows, ...learnt } = await learn(htmlOf(page, url), definition, rest);
			if (!page.parts.some(isOfPages)) return learnt;
			if (!rows) throw noList();
			return { ...learnt, hints: [...learnt.hints, [ONE_PAGE]], rows };
		},
	};
}

/** The definition with the selectors that the node has found. */
export function withSelectors(
	{ examples, ...definition }: ExtractDefinition,
	selectors: Selectors | undefined,
): ExtractDefinition {
	if (!examples || !selectors) return definition;
	const { fields, list } = selectors;
	const lists = list ? definition.lists.map((given) => ({ ...given, ...list })) : [];
	return { ...definition, fields, lists };
}

const ONE_PAGE =
	'This server cannot create extract robots, so the node read the rows of one page by itself. It finds them again in each execution';

const noList = () =>
	new RunFault(
		'The examples do not repeat on the page',
		'This server cannot create extract robots, so the node can only read rows of a list. Use Extract With Prompt, or build a robot in the Maxun dashboard',
		'the examples do not repeat',
	);

/** As the browser has it. A scrape robot would return less. */
export const pageHtml = (selector: 'html' | 'body') => ({
	name: HTML,
	selector,
	attribute: 'outerHTML',
});

const HTML = 'HTML';

/** The HTML that a robot's run has captured for a lesson. @throws RunFault if Maxun could not read the page */
export function htmlOf({ run, parts }: Captured, page: string): string {
	const rows = parts.flatMap((part) => part.rows);
	const [html] = rows.flatMap((row) => row[HTML] ?? row.html ?? []);
	const isRead = run.status === 'success' && typeof html === 'string';
	const reason = isRead ? refusalOf({ html })?.reason : reasonOf(run, 'The run returned no HTML');
	if (isRead && reason === undefined) return html;
	const short = reason ?? 'no HTML';
	throw new RunFault(
		`Maxun could not read ${page} to find the rows`,
		sentences(short, 'Check the page in a browser'),
		short,
		{ forModel: 'Try another page, or tell the user the reason' },
	);
}
