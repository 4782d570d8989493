import type { Publication } from '../../n8n/publisher.mts';
import type { Story } from '../story.mts';
import { hasWebhooks, pathOf, selectionOf } from '../triggers.mts';
import { FOREIGN } from '../world.mts';
import { mayBeOverwritten, wasEndDisturbed } from './watches.mts';

/** A robot with this many other webhooks doesn't get the trigger's webhook. */
const WEBHOOKS_PER_ROBOT = 10;

export function eachTriggerHasOneWebhookPerRobot({ webhooks }: Story): string[] {
	const counts = new Map<string, number>();
	for (const { robotId, url } of webhooks) {
		const key = `${robotId} ${url}`;
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return [...counts].filter(([, count]) => count > 1).map(([key, count]) => `${count} × ${key}`);
}

/** Copies and originals keep their own webhooks, and a test doesn't change production webhooks. */
export function liveTriggersKeepTheirWebhooks(story: Story): string[] {
	const { unregistered, webhooks, cleared, deleted, exceptions, world, history } = story;
	// The trigger removes a webhook that can't reach it, and polls.
	if (history.url !== 'right') return [];
	const mayAdd = (name: string) =>
		world.accounts.some(({ own }) => own.name === name && own.role !== 'viewer');
	return story.live
		.filter(({ trigger }) => hasWebhooks(trigger) && mayAdd(selectionOf(trigger).account))
		.flatMap((publication) => {
			const { host, trigger, workflowId, wasInterrupted } = publication;
			const url = `${host.settings.publicUrl}${pathOf(trigger)}`;
			const known = unregistered.find((one) => one.publication === publication)?.robotIds ?? [];
			const lost = selectionOf(trigger)
				.robotIds.filter((id) => !known.includes(id) && !cleared.has(id) && !deleted.has(id))
				.filter(() => history.foreignWebhooks < WEBHOOKS_PER_ROBOT)
				.filter((id) => !webhooks.some((one) => one.robotId === id && one.url === url));
			if (lost.length === 0) return [];
			if (exceptions.excuse('killedWhilePublishing', wasInterrupted === true)) return [];
			if (exceptions.excuse('copiedWhileOff', wasCopiedWhileOff(story, publication))) return [];
			return lost.map((id) => `${workflowId} has lost its webhook on ${id}`);
		});
}

/**
 * Whether one of two n8n instances was off, or published an edit, when a workflow was published in the other
 * instance.
 */
const wasCopiedWhileOff = ({ publications }: Story, { workflowId, host }: Publication): boolean =>
	publications.some(
		(other) =>
			other.workflowId === workflowId &&
			publications.some(
				(original) =>
					original.workflowId === workflowId &&
					original.host !== other.host &&
					(original.host === host || other.host === host) &&
					(Math.abs(original.began - other.began) < 1000 ||
						original.host.outages.some(({ from, to }) => from <= other.began && other.began <= to)),
			),
	);

export function unpublishingTurnsWebhooksOff(story: Story): string[] {
	const { exceptions } = story;
	const active = story.webhooksNow().filter((webhook) => webhook.active);
	return active.flatMap(({ robotId, url }) => {
		const isOfUrl = ({ host, trigger }: Publication) =>
			url.includes(pathOf(trigger)) && url.startsWith(host.settings.publicUrl);
		const wasDisturbed = story.publications.some(
			(one) => isOfUrl(one) && wasEndDisturbed(story, one),
		);
		const isExcused =
			exceptions.excuse('removalWasDisturbed', wasDisturbed) ||
			exceptions.excuse(
				'overwrittenByTheWorkflow',
				story.publications.some((one) => isOfUrl(one) && mayBeOverwritten(story, one)),
			);
		return isExcused ? [] : [`${robotId} still has ${url}`];
	});
}

export function webhooksOfOthersAreLeftAlone({ world, history, cleared }: Story): string[] {
	return world.accounts.flatMap(({ robots }) =>
		[...robots.values()]
			.filter(({ id, key }) => !cleared.has(id) && Number(key) < history.robots)
			.flatMap(({ id, webhooks }) => {
				const foreign = webhooks.filter(
					({ url, active, events }) =>
						url.startsWith(FOREIGN) && active && events.join() === 'run_completed',
				);
				const { foreignWebhooks: count } = history;
				return foreign.length === count
					? []
					: [`${id} has ${foreign.length} of ${count} webhooks of others`];
			}),
	);
}
