import { checkedDefinition, definitionOf, type Given } from '../fields/extractDefinition';
import { pageLesson, withSelectors } from '../runs/pageLesson';
import type { Lesson } from '../runs/types';
import { withLogin, type ExtractDefinition } from '../servers/definition';
import type { OperationContext } from './operation';

/** What an extract robot needs from its page, if the user describes the data by example. */
export const lessonFor = (given: Given, isForOnce = false): Lesson<OperationContext> | undefined =>
	pageLesson(definitionOf(given), async (context) => await withSteps(given, context), isForOnce);

/** What a robot reads, apart from its page. */
export const formOfRows = (given: Given): string =>
	JSON.stringify({ ...definitionOf(given), url: undefined });

/** What the robot reads, with the selectors that the lesson has found. */
export const definitionFor = async (
	given: Given,
	context: OperationContext,
): Promise<ExtractDefinition> =>
	withSelectors(await withSteps(given, context), context.learnt?.selectors);

const withSteps = async (given: Given, { hint, login }: OperationContext) =>
	await withLogin(checkedDefinition(given, hint), login);
