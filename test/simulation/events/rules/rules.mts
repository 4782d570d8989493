import type { Story } from '../story.mts';
import { publishingWarns, testsFindTheLatestRun, workflowsCanBePublished } from './publishing.mts';
import {
	editsKeepThePageRobot,
	eachPageHasOneSchedule,
	unpublishingStopsTheChecks,
} from './pages.mts';
import {
	noKeyIsLogged,
	noRejectionIsUnhandled,
	rateLimitsAreRespected,
	requestsStayWithinBounds,
} from './requests.mts';
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
	publishingWarns,
	workflowsCanBePublished,
	testsFindTheLatestRun,
	editsKeepThePageRobot,
	eachPageHasOneSchedule,
	unpublishingStopsTheChecks,
	eachTriggerHasOneWebhookPerRobot,
	liveTriggersKeepTheirWebhooks,
	unpublishingTurnsWebhooksOff,
	webhooksOfOthersAreLeftAlone,
	rateLimitsAreRespected,
	requestsStayWithinBounds,
	noKeyIsLogged,
	noRejectionIsUnhandled,
};
