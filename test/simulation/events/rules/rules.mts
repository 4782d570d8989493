import type { Story } from '../story.mts';
import * as publishing from './publishing.mts';
import * as requests from './requests.mts';
import * as starts from './starts.mts';
import * as webhooks from './webhooks.mts';

/** Checks a history after its end. The name says what must hold. @returns a sentence for each violation */
type Rule = (story: Story) => string[];

/** What must hold after every history, by name. */
export const RULES: Record<string, Rule> = {
	...starts,
	...publishing,
	...webhooks,
	...requests,
};
