import type { Story } from '../story.mts';
import * as pages from './pages.mts';
import * as publishing from './publishing.mts';
import * as requests from './requests.mts';
import {
	eachWantedRunStartsTheWorkflowInTime,
	noRunFromBeforeTheWatchStartsTheWorkflow,
	noRunStartsTheWorkflowTwice,
	onlySelectedRunsStartTheWorkflow,
} from './starts.mts';
import {
	eachTriggerHasOneWebhookPerRobot,
	liveTriggersKeepTheirWebhooks,
	unpublishingTurnsWebhooksOff,
	webhooksOfOthersAreLeftAlone,
} from './webhooks.mts';

/** Checks a history after its end. The name says what must hold. @returns a sentence for each violation */
export type Rule = (story: Story) => string[];

/** What must hold after every history, by name. */
export const RULES: Record<string, Rule> = {
	noRunFromBeforeTheWatchStartsTheWorkflow,
	noRunStartsTheWorkflowTwice,
	eachWantedRunStartsTheWorkflowInTime,
	onlySelectedRunsStartTheWorkflow,
	...publishing,
	...pages,
	eachTriggerHasOneWebhookPerRobot,
	liveTriggersKeepTheirWebhooks,
	unpublishingTurnsWebhooksOff,
	webhooksOfOthersAreLeftAlone,
	...requests,
};
