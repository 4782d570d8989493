import type { Publication } from '../../n8n/publisher.mts';
import type { Story } from '../story.mts';
import { isByHand, isWebhook, pathOf, selectionOf, selects } from '../triggers.mts';
import { nameOf } from './watches.mts';

const MINUTE = 60_000;

/** How many webhooks a robot can have. */
const MOST_WEBHOOKS = 10;

/** How often n8n tries to publish a workflow. */
const ATTEMPTS = 5;

const nameOfOne = ({ host, workflowId, trigger }: Publication) =>
	nameOf({ host, workflowId, nodeId: trigger.id, publications: [] });

/** If no event can arrive, publishing fails, or the log says it. */
export function publishingFailsOrWarns(story: Story): string[] {
	const { history, unregistered, world } = story;
	const isSilent = ({ began, succeeded }: Publication) =>
		succeeded !== undefined && !story.hasWarned(began, succeeded + MINUTE);
	const missing = unregistered
		.filter(({ publication }) => isSilent(publication))
		.map(
			({ publication, robotIds }) =>
				`${nameOfOne(publication)} was published without webhooks on ${robotIds.join(', ')}`,
		);
	// Only Maxun Cloud reports what it gets from a URL.
	const canTell = ({ trigger }: Publication) =>
		isWebhook(trigger) && !isByHand(trigger) && trigger.parameters.server === 'cloud';
	const silent = story.publications
		.filter((one) => history.url !== 'right' && canTell(one) && isSilent(one))
		.filter(({ trigger }) => {
			const account = world.accounts.find(({ own }) => own.name === selectionOf(trigger).account);
			return account?.own.role !== 'viewer';
		})
		.map((one) => `${nameOfOne(one)} was published, and at its URL is ${history.url}`);
	return [...missing, ...silent];
}

/** Otherwise, no other rule would check anything. */
export function workflowsCanBePublished(story: Story): string[] {
	const { history, world } = story;
	return story.publications
		.filter(({ failed }) => failed)
		.filter((publication) => {
			const { trigger, began, failed, host, workflowId } = publication;
			const { account: name, robotIds } = selectionOf(trigger);
			const account = world.accounts.find(({ own }) => own.name === name);
			if (!account) return false;
			const isRobotOk = (id: string) =>
				account.robots.has(id) &&
				!story.disturbances.some(
					({ robotId, from, to }) => robotId === id && from <= (failed?.at ?? began) && began <= to,
				);
			const isDisturbed = story.disturbances.some(
				({ from, to, robotId, host: of, workflowId: only }) =>
					robotId === undefined &&
					only !== workflowId &&
					(of === undefined || of === host) &&
					from <= (failed?.at ?? began) &&
					began <= to,
			);
			const needsWebhooks = isWebhook(trigger) && !isByHand(trigger);
			const isRefused = needsWebhooks && (account.own.role === 'viewer' || history.url !== 'right');
			// One bad robot doesn't prevent the others.
			const isOk = robotIds.length === 0 || robotIds.some(isRobotOk);
			const isFull = needsWebhooks && history.foreignWebhooks + 3 > MOST_WEBHOOKS;
			const wasRefused = story.refusals.some(
				({ from, to }) => from <= (failed?.at ?? began) && began <= to,
			);
			return isOk && !isDisturbed && !isRefused && !isFull && !wasRefused && !isThrottled(history);
		})
		.filter((one) => !story.exceptions.excuse('samplesLost', wereSamplesLost(story, one)))
		.map((one) => `${nameOfOne(one)} failed: ${one.failed?.reason.slice(0, 300)}`);
}

function wereSamplesLost({ world }: Story, { trigger, host, began, failed }: Publication): boolean {
	const lost = world.lostSamples.filter(
		({ url, at }) =>
			url.origin === host.settings.origin &&
			url.pathname === pathOf(trigger) &&
			began <= at &&
			at <= (failed?.at ?? began),
	);
	return lost.length >= ATTEMPTS;
}

const isThrottled = ({ service }: Story['history']) => service.rateLimit < 1000;

/** A test in the editor returns the latest run that would have started the workflow. */
export function testsFindTheLatestRun(story: Story): string[] {
	const { history, world } = story;
	if (history.url !== 'right' || history.deliveries.lost > 0 || isThrottled(history)) return [];
	return world.hosts.flatMap((host) =>
		host.tests.flatMap(({ trigger, began, items, error, workflowId }) => {
			const selection = selectionOf(trigger);
			const to = began + 2 * MINUTE;
			const account = world.accounts.find(({ own }) => own.name === selection.account);
			const isDisturbed = [...story.disturbances, ...story.refusals].some(
				(one) => one.from <= to && began <= one.to,
			);
			const isFull = history.foreignWebhooks + 3 > MOST_WEBHOOKS;
			if (!account || account.own.role === 'viewer' || isDisturbed || isFull) return [];
			const isDeleted = selection.robotIds.some((id) => (story.deleted.get(id) ?? to) < to);
			const hasRun = story.runs.some(
				({ run, account: of, end }) =>
					of === account && end < began - MINUTE && selects(selection, run),
			);
			if (isDeleted || !hasRun || to > story.ended || (items && items.length > 0)) return [];
			return [`a test of ${workflowId} returned ${error ?? 'nothing'}`];
		}),
	);
}
