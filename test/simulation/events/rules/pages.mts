import type { Publication } from '../../n8n/publisher.mts';
import { isRare, type Story } from '../story.mts';
import { selectionOf } from '../triggers.mts';
import { hasCreated, wasEndDisturbed } from './watches.mts';

const MINUTE = 60_000;

/** After a robot has expired, its page gets another one. Milliseconds. */
const EXPIRY = 24 * 60 * MINUTE;

/** The publications that watch a page at the end. */
const livePages = ({ live }: Story): Publication[] =>
	live.filter(({ trigger }) => selectionOf(trigger).page !== undefined);

/** Whatever people, faults and copies have changed, polls restore it. */
export function eachPageHasOneSchedule(story: Story): string[] {
	return livePages(story).flatMap((publication) => {
		const { workflowId, host, trigger, wasInterrupted } = publication;
		const { page, account } = selectionOf(trigger);
		const own = story.world.accounts.find((one) => one.own.name === account)?.own;
		// Its polls fail. If Maxun responds slowly, n8n publishes the workflow before.
		if (own?.role === 'viewer') return [];
		const active = story.pageRobots.filter(
			(one) => one.account === account && one.hasSchedule && hasCreated(publication, one.robot),
		);
		const keys = active.map(({ key }) => key);
		if (keys.join() === page) return [];
		if (story.exceptions.excuse('killedWhilePublishing', wasInterrupted === true)) return [];
		const name = `${workflowId} in ${host.settings.origin}`;
		return [`${name} watches ${page}, and its robots check ${keys.join() || 'nothing'}`];
	});
}

export function unpublishingStopsTheChecks(story: Story): string[] {
	const { world, publications, exceptions } = story;
	return world.accounts.flatMap(({ robots, own }) =>
		[...robots.values()].flatMap((robot) => {
			const { schedule, creator, name } = robot;
			if (!schedule || creator === undefined) return [];
			const wasDisturbed = publications.some(
				(one) => hasCreated(one, robot) && wasEndDisturbed(story, one),
			);
			const isExcused =
				exceptions.excuse('membersCanNotDelete', isRare(own, robot)) ||
				exceptions.excuse('removalWasDisturbed', wasDisturbed);
			return isExcused ? [] : [`'${name}' still runs`];
		}),
	);
}

/** An edit that doesn't change the page keeps its robot, with all its runs. */
export function editsKeepThePageRobot(story: Story): string[] {
	return story.publications.flatMap((publication) => {
		const { trigger, workflowId, host, began } = publication;
		const { page, account } = selectionOf(trigger);
		const next = host.publisher.publications.find(
			(one) => one.workflowId === workflowId && one.began > began,
		);
		const isSame =
			next?.succeeded !== undefined &&
			// Later publications may need another robot.
			next.ended === undefined &&
			next.trigger.id === trigger.id &&
			next.began - (publication.ended?.at ?? 0) < EXPIRY / 2 &&
			selectionOf(next.trigger).page === page &&
			selectionOf(next.trigger).account === account;
		if (page === undefined || !isSame) return [];
		const { past, robots } = story.world.accounts.find(({ own }) => own.name === account) ?? {};
		const runs = [...(past?.runs.values() ?? [])].filter(({ createdAt }) => createdAt < next.began);
		return [...(past?.robots.values() ?? [])]
			.filter((robot) => hasCreated(publication, robot) && robot.key === page)
			.filter(({ id }) => runs.some(({ robotId }) => robotId === id))
			.filter(({ id }) => !robots?.has(id) && !story.deleted.has(id))
			.map(({ id }) => `${workflowId} has deleted ${id}, which checks ${page}`);
	});
}
