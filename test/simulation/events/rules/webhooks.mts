import type { Publication } from '../../n8n/publisher.mts';
import type { Story } from '../story.mts';
import { hasWebhooks, pathOf } from '../triggers.mts';
import { FOREIGN } from '../world.mts';

const MINUTE = 60_000;

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
	const { unregistered, webhooks, cleared, deleted, exceptions } = story;
	return story.publications
		.filter(({ trigger }) => hasWebhooks(trigger))
		.filter(({ succeeded, failed, ended }) => succeeded !== undefined && !failed && !ended)
		.flatMap((publication) => {
			const { host, trigger, workflowId, wasInterrupted } = publication;
			if (
				host.publisher.publications.filter((one) => one.workflowId === workflowId).at(-1) !==
				publication
			) {
				return [];
			}
			const url = `${host.settings.publicUrl}${pathOf(trigger)}`;
			const known = unregistered.find((one) => one.publication === publication)?.robotIds ?? [];
			const { robotIds } = trigger.parameters;
			const lost = (Array.isArray(robotIds) ? robotIds.map(String) : [])
				.filter((id) => !known.includes(id) && !cleared.has(id) && !deleted.has(id))
				.filter((id) => !webhooks.some((one) => one.robotId === id && one.url === url));
			if (lost.length === 0) return [];
			if (exceptions.excuse('killedWhilePublishing', wasInterrupted === true)) return [];
			return lost.map((id) => `${workflowId} has lost its webhook on ${id}`);
		});
}

export function unpublishingRemovesTheWebhooks(story: Story): string[] {
	const { world, exceptions } = story;
	return story.webhooksNow().flatMap(({ robotId, url, active }) => {
		const account = world.accounts.find(({ robots }) => robots.has(robotId));
		const isReported = !active || story.logs.some(({ text }) => /webhook/i.test(text));
		const isMember = account?.own.role === 'member' && account.own.kind === 'cloud';
		const isTest = url.includes('/webhook-test/');
		const wasKilled = world.hosts.some(({ outages, tests }) =>
			tests.some(({ began }) =>
				outages.some(({ from }) => began - MINUTE < from && from < began + 3 * MINUTE),
			),
		);
		const isExcused =
			exceptions.excuse('membersCanNotDelete', isMember && isReported) ||
			exceptions.excuse('testWasKilled', isTest && wasKilled) ||
			exceptions.excuse('removalWasDisturbed', wasRemovalDisturbed(story, url));
		return isExcused ? [] : [`${robotId} still has ${url}`];
	});
}

/** Whether something failed while a publication or a test with this URL had to remove its webhook. */
function wasRemovalDisturbed(story: Story, url: string): boolean {
	const isDisturbed = (host: Publication['host'], from: number, to: number) =>
		[...story.disturbances, ...story.refusals].some(
			(one) =>
				one.from <= to && from <= one.to && !one.workflowId && (!one.host || one.host === host),
		);
	const isPublicationDisturbed = ({ host, trigger, ended, failed, began }: Publication) => {
		const isOfUrl = url.includes(pathOf(trigger)) && url.startsWith(host.settings.publicUrl);
		if (!isOfUrl) return false;
		const { at } = ended ?? { at: story.ended };
		const isEndDisturbed = isDisturbed(host, at, at + MINUTE);
		return isEndDisturbed || (failed !== undefined && isDisturbed(host, began, failed.at));
	};
	return (
		story.publications.some(isPublicationDisturbed) ||
		story.world.hosts.some((host) =>
			host.tests.some(
				({ trigger, began }) =>
					url.includes(`/webhook-test/${trigger.webhookId}/`) &&
					isDisturbed(host, began, began + 3 * MINUTE),
			),
		)
	);
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
