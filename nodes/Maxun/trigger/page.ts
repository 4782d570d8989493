import { createHash } from 'crypto';
import type { WatchedPage } from '../fields/page';
import { CONCURRENCY } from '../http/concurrency';
import { MaxunFault, recover } from '../http/fault';
import { cut } from '../http/text';
import { deleteExpired, temporaryName } from '../runs/expiry';
import { createNamed, deleteRobot } from '../runs/temporary';
import { whenVisible } from '../runs/visible';
import { withLogin } from '../servers/definition';
import type { Robot } from '../servers/entities';
import { startOf } from '../servers/runEnd';
import type { MaxunServer } from '../servers/types';
import { memoryOf } from './memory';
import type { TriggerNode } from './triggerNode';

/*
 * The robot of a trigger that watches a page. Its name contains the IDs of the workflow and the node, and a hash of
 * what it reads. So the trigger finds the robot without saved data, and changes it only if somebody has changed the
 * form.
 */

/** How long a robot's draft may be needed, in minutes. */
const DRAFT_TIME = 5;

/** How many of the latest runs to search for one that has started. Queued runs have no start. */
const LATEST = 10;

interface Subject {
	trigger: TriggerNode;
	maxun: MaxunServer;
	page: WatchedPage;
}

interface Plan {
	type: 'extract' | 'scrape';
	name: string;
	/** The end of the name, which shows that the robot still reads the same. */
	ending: string;
	/** Creates the robot, or changes one. */
	write(robotId?: string): Promise<object>;
}

/**
 * The ID of the page's robot. When somebody publishes the workflow, creates or changes the robot, and switches its
 * schedule on. If that fails, the schedule is off. In a test, runs the robot once if it has no run.
 *
 * @throws MaxunFault if the robot doesn't exist now
 */
export async function pageRobot(
	trigger: TriggerNode,
	page: WatchedPage,
	maxun: MaxunServer,
): Promise<string> {
	const memory = memoryOf(trigger);
	// A publication's hook and first poll come in any order.
	const robot = (memory.page ??= setUp({ trigger, maxun, page }));
	robot.catch(() => {
		if (memory.page === robot) memory.page = undefined;
	});
	return await robot;
}

async function setUp(subject: Subject): Promise<string> {
	const { trigger, maxun, page } = subject;
	const plan = await planOf(subject);
	const found = await robotsOf(subject);
	// The oldest robot is the one with the runs.
	const own = found.filter(({ type }) => type === plan.type).at(-1);
	if (trigger.isTest) return await setUpTest(subject, plan, own);
	if (trigger.isStart && own?.schedule) return own.id;
	let isOn = false;
	try {
		await demandCredits(maxun);
		const id = await current(subject, plan, own);
		for (const other of found) if (other.id !== id) await switchOff(subject, other);
		const schedule = { ...page.schedule, timezone: trigger.timezone };
		await whenVisible(maxun, async () => await maxun.schedules.set(id, schedule));
		isOn = true;
		return id;
	} finally {
		if (!isOn) await stopAll(subject).catch(() => undefined);
	}
}

/** The robot for a test in the editor. It has no schedule, unless the workflow is published, too. */
async function setUpTest(subject: Subject, plan: Plan, own: Robot | undefined): Promise<string> {
	const { trigger, maxun } = subject;
	const isSame = own?.name.endsWith(plan.ending);
	if (own?.schedule && !isSame) {
		throw new MaxunFault(
			'The workflow is published with other settings for this page',
			'Publish it again, or unpublish it. Then test again',
		);
	}
	const id = own?.schedule ? own.id : await current(subject, plan, own);
	const [last] = isSame ? await maxun.runs.list(id, {}, 1) : [];
	if (!last || ['failed', 'aborted'].includes(last.status)) {
		await whenVisible(maxun, async () => await maxun.runs.start(id, {}));
		trigger.info(`The robot ${id} runs once, so that there is something to show`);
	}
	return id;
}

/** The robot that the form describes: a new one, or the existing one with the changes. @returns its ID */
async function current(subject: Subject, plan: Plan, own: Robot | undefined): Promise<string> {
	const { trigger, maxun } = subject;
	if (own?.name === plan.name) return own.id;
	if (own?.name.endsWith(plan.ending)) {
		await maxun.robots.update?.(own.id, { name: plan.name });
		return own.id;
	}
	// What the robot read before can't be compared with what it reads from now on.
	const runs = own ? await maxun.runs.list(own.id, {}, LATEST) : [];
	const startedAfter = Math.max(0, ...runs.map((run) => startOf(run) ?? 0));
	const id = own
		? await plan.write(own.id).then(() => own.id)
		: await createNamed(maxun, plan.name, plan.write());
	trigger.saveHooks({ ...trigger.hooks(), startedAfter });
	return id;
}

async function planOf({ trigger, maxun, page }: Subject): Promise<Plan> {
	const { url } = page;
	const definition = page.definition && (await withLogin(page.definition, trigger.login));
	// A hash of a password could be guessed.
	const steps = definition?.steps.map((step) =>
		step.action === 'type' ? { ...step, text: maxun.sign(step.text) } : step,
	);
	const content = JSON.stringify({ url, ...definition, steps });
	const hash = createHash('sha256').update(content).digest('hex').slice(0, 8);
	const ending = `${ownerMark(trigger)} ${hash})`;
	const { origin, pathname } = new URL(url);
	const shown = cut(origin + pathname, 80);
	const name = `n8n watches ${shown} for ${cut(trigger.workflow.name ?? '', 40)} ${ending}`;
	const { robots, extractRobots } = maxun;
	if (!definition) {
		const fields = { name, url };
		const write = async (robotId?: string) =>
			(robotId === undefined
				? await robots.create?.('scrape', { ...fields, formats: ['markdown'] })
				: await robots.update?.(robotId, fields)) ?? {};
		return { type: 'scrape', name, ending, write };
	}
	const write = async (robotId?: string) => {
		await deleteExpired({ accountKey: trigger.key, concurrency: CONCURRENCY, maxun });
		const draftName = temporaryName('page', 'robot', { maxun }, DRAFT_TIME);
		return (await extractRobots?.set(name, definition, { draftName, robotId })) ?? {};
	};
	return { type: 'extract', name, ending, write };
}

/** The part of the name that identifies this trigger's robots. A copy of the workflow has other IDs. */
const ownerMark = ({ node, workflow, instanceId }: TriggerNode): string =>
	`(${workflow.id} ${node.id} ${instanceId.slice(0, 8)}`;

/** All robots that a trigger has created, newest first: one for the text, one for rows. */
async function robotsOf({ trigger, maxun }: Subject): Promise<Robot[]> {
	const named = await maxun.robots.list({ q: trigger.node.id }, Infinity);
	return named.filter(({ name }) => name.includes(ownerMark(trigger)));
}

/**
 * Maxun Cloud accepts schedules without credits, but then doesn't start runs. @throws MaxunFault if there are no
 * credits
 */
async function demandCredits({ account, features }: MaxunServer): Promise<void> {
	if (!features.credits) return;
	const usage = await account?.getUsage?.();
	if (typeof usage?.credits !== 'number' || usage.credits >= 1) return;
	throw new MaxunFault(
		'There are not enough Maxun credits',
		'Each check of the page needs at least one credit. Add credits in the Maxun dashboard, then publish the workflow again',
	);
}

/**
 * Unpublishing: switches the schedule off.
 *
 * @param isLast whether to delete the robot with its runs
 * @throws MaxunFault if the robots can't be listed
 */
export async function stopPage(subject: Subject, isLast: boolean): Promise<void> {
	// A slow publication must not switch the schedule on afterwards.
	await memoryOf(subject.trigger).page?.catch(() => undefined);
	const { trigger, maxun } = subject;
	for (const { id } of await stopAll(subject)) {
		if (!isLast) continue;
		const onLeftover = (reason: string) =>
			trigger.warn(`The robot ${id} remains. Delete it in Maxun. ${reason}`);
		await deleteRobot({ maxun, onLeftover }, { kind: 'robot', robotId: id });
	}
}

async function stopAll(subject: Subject): Promise<Robot[]> {
	const robots = await robotsOf(subject);
	for (const robot of robots) await switchOff(subject, robot);
	return robots;
}

/** Removes a schedule. If the key may not delete it, makes it as rare as possible. Never throws a fault. */
async function switchOff({ trigger, maxun }: Subject, { id }: Robot): Promise<void> {
	const { schedules } = maxun;
	const monthly = { runEvery: 1, runEveryUnit: 'MONTHS', timezone: trigger.timezone };
	const warn =
		(what: string) =>
		({ text }: MaxunFault) =>
			trigger.warn(`The robot ${id} still ${what}. Delete its schedule in Maxun. ${text}`);
	await recover(schedules.delete(id), {
		notFound: () => undefined,
		forbidden: async (fault) =>
			await recover(
				schedules.set(id, monthly).then(() => warn('checks the page once a month')(fault)),
				{ any: warn('checks the page') },
			),
		any: warn('checks the page'),
	});
}
