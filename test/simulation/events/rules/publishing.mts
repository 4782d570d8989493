import type { Publication } from '../../n8n/publisher.mts';
import type { Story } from '../story.mts';
import { hasWebhooks, selectionOf, selects } from '../triggers.mts';
import { nameOf } from './watches.mts';

const MINUTE = 60_000;

const nameOfOne = ({ host, workflowId, trigger }: Publication) =>
	nameOf({ host, workflowId, nodeId: trigger.id, publications: [] });

/** If no event can arrive, the log says so. */
export function publishingWarns(story: Story): string[] {
	const { history, unregistered } = story;
	// If an edit has replaced a publication in the meantime, the publication doesn't add anything.
	const isSilent = ({ began, succeeded, ended, wasInterrupted }: Publication) =>
		succeeded !== undefined &&
		succeeded < (ended?.at ?? Infinity) &&
		!story.hasWarned(began, succeeded + MINUTE) &&
		!story.exceptions.excuse('killedWhilePublishing', wasInterrupted === true);
	const missing = unregistered
		.filter(({ publication }) => isSilent(publication))
		.map(
			({ publication, robotIds }) =>
				`${nameOfOne(publication)} was published without webhooks on ${robotIds.join(', ')}`,
		);
	// Only Maxun Cloud reports a URL's response.
	const canTell = ({ trigger }: Publication) =>
		hasWebhooks(trigger) && trigger.parameters.server === 'cloud';
	const silent = story.publications
		.filter((one) => history.url !== 'right' && canTell(one) && isSilent(one))
		.map((one) => `${nameOfOne(one)} was published, and at its URL is ${history.url}`);
	return [...missing, ...silent];
}

/** Publishing fails only while no robot can be read. Otherwise, no other rule would check anything. */
export function workflowsCanBePublished(story: Story): string[] {
	const { history, world } = story;
	return story.publications
		.filter(({ trigger, began, failed, host, workflowId }) => {
			if (!failed) return false;
			const { account: name, robotIds } = selectionOf(trigger);
			const account = world.accounts.find(({ own }) => own.name === name);
			if (!account) return false;
			const isNow = ({ from, to }: { from: number; to: number }) =>
				from <= failed.at && began <= to;
			// A list with only unreadable entries may be something else.
			const isRobotOk = (id: string) =>
				account.robots.has(id) &&
				!account.odd.has(id) &&
				!story.disturbances.some((one) => one.robotId === id && isNow(one));
			const isDisturbed = story.disturbances.some(
				(one) =>
					one.robotId === undefined &&
					one.workflowId !== workflowId &&
					(one.host === undefined || one.host === host) &&
					isNow(one),
			);
			const isOk = robotIds.length === 0 || robotIds.some(isRobotOk);
			return isOk && !isDisturbed && !isThrottled(history);
		})
		.map((one) => `${nameOfOne(one)} failed: ${one.failed?.reason.slice(0, 300)}`);
}

const isThrottled = ({ service }: Story['history']) => service.rateLimit < 1000;

/** A test in the editor returns the latest run that would have started the workflow. */
export function testsFindTheLatestRun(story: Story): string[] {
	const { history, world } = story;
	if (history.url !== 'right' || history.deliveries.lost > 0 || isThrottled(history)) return [];
	return world.hosts.flatMap((host) =>
		host.tests.flatMap(({ trigger, began, start, error, workflowId }) => {
			const selection = selectionOf(trigger);
			const to = began + 2 * MINUTE;
			const account = world.accounts.find(({ own }) => own.name === selection.account);
			const isDisturbed = [...story.disturbances, ...story.refusals].some(
				(one) => one.from <= to && began <= one.to,
			);
			if (!account || isDisturbed) return [];
			const items = start?.emission?.items;
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
