import type { WatchedPage } from '../fields/page';
import { CONCURRENCY } from '../http/concurrency';
import { faultOf, recover, type MaxunFault } from '../http/fault';
import { cut } from '../http/text';
import { DAY } from '../http/time';
import { isObject } from '../http/values';
import {
	deleteExpired,
	expiringName,
	isTemporaryName,
	temporaryName,
	WATCHES,
} from '../runs/expiry';
import { exampleLesson, withSelectors } from '../runs/examples';
import type { RunContext } from '../runs/types';
import { createNamed } from '../runs/temporary';
import { whenVisible } from '../runs/start';
import { withLogin, type ExtractDefinition } from '../servers/definition';
import type { Robot } from '../servers/entities';
import { isDueSince } from './memory';
import type { Connected } from './settings';
import { hashOf, type TriggerNode } from './triggerNode';
import { learnNow } from './lesson';

/** How many minutes a robot may need until its selectors are checked. */
const CREATION_TIME = 5;

/** After how many milliseconds a former robot expires. Until then, publishing takes it back. */
const EXPIRY_TIME = DAY;

const RARE = { runEvery: 1, runEveryUnit: 'MONTHS' };

type Control = Omit<Connected, 'given'>;

export interface Subject extends Control {
	page: WatchedPage;
}

/** Identifies this trigger's robots, even after n8n's address has changed. */
const ownerOf = ({ record, owner }: TriggerNode): string => record().owner ?? owner;

/**
 * Makes sure that the page's robot exists, and that Maxun runs it. The robot's name has a hash of what it reads, so
 * another form needs another robot.
 *
 * @param isPublishing whether the schedule may have changed
 * @throws MaxunFault if there is no robot now. Then the schedule is off
 */
export async function keepPage(subject: Subject, isPublishing: boolean): Promise<void> {
	const { trigger, maxun, page } = subject;
	const { page: known } = trigger.record();
	const { definition, form } = await readForm(subject);
	const all = await robotsOf(subject);
	const own =
		// The oldest robot is the one with the runs.
		all.filter(({ name }) => markIn(name, trigger) === form).at(-1) ??
		(known?.form === form
			? await recover(maxun.robots.get(known.robotId), { notFound: () => undefined })
			: undefined);
	const name = nameOf(subject, form);
	// If Maxun can't create the robot again, the reason is the poll's error, not the missing robot.
	if (!own) trigger.saveRecord({ page: undefined });
	const id = own?.id ?? (await create(subject, definition));
	if (own?.name !== name) {
		await whenVisible(maxun, async () => await maxun.robots.update(id, { name }));
	}
	trigger.saveRecord({ owner: ownerOf(trigger), page: { robotId: id, form } });
	for (const other of all) {
		// A test must not affect the published workflow.
		const isUsed = isTemporaryName(other.name) || (trigger.isTest && Boolean(other.schedule));
		if (other.id !== id && !isUsed) await expire(subject, other);
	}
	if (trigger.isTest) return await runOnce(subject, id);
	if (own && isScheduled(own, page) && !isPublishing) return;
	const { whatMatters } = page;
	const schedule = { ...page.schedule, timezone: trigger.timezone };
	const setting = whenVisible(maxun, async () => {
		if (whatMatters && maxun.features.has('alerts')) {
			const rules = { compareRuns: true, monitoringPrompt: whatMatters };
			await maxun.monitoring.update(id, rules);
		}
		await maxun.schedules.set(id, schedule);
	});
	await recover(setting, {
		any: async (fault) => {
			await switchOff(subject, id);
			throw fault;
		},
	});
}

/** Whether the schedule is on. A team member who unpublishes leaves a monthly one. */
const isScheduled = ({ schedule }: Robot, page: WatchedPage): boolean =>
	isObject(schedule) &&
	(schedule.runEveryUnit !== RARE.runEveryUnit || page.schedule.runEveryUnit === RARE.runEveryUnit);

async function runOnce({ trigger, maxun }: Subject, id: string): Promise<void> {
	const [last] = await maxun.runs.list(id, {}, 1);
	if (last && !['failed', 'aborted'].includes(last.status)) return;
	await whenVisible(maxun, async () => await maxun.runs.start(id, {}));
	trigger.info(`The robot ${id} runs once, so that there is something to show`);
}

/** What the robot reads, with the login's texts, and its hash. */
async function readForm({ trigger, maxun, page }: Subject) {
	const { url } = page;
	// Without a rule, Maxun must no longer decide, so the page needs another robot.
	const isJudged = page.whatMatters ? true : undefined;
	const definition = page.definition && (await withLogin(page.definition, trigger.login));
	// A hash of a password could be guessed.
	const steps = definition?.steps.map((step) =>
		step.text === undefined ? step : { ...step, text: maxun.sign(step.text) },
	);
	return { definition, form: hashOf(JSON.stringify({ url, isJudged, ...definition, steps })) };
}

function nameOf({ trigger, page }: Subject, form: string): string {
	const { origin, pathname } = new URL(page.url);
	const { node, workflow } = trigger;
	const shown = `${cut(origin + pathname, 80)} for ${cut(workflow.name ?? '', 40)}`;
	return `${WATCHES}${shown} (${workflow.id} ${node.id} ${ownerOf(trigger)} ${form})`;
}

/** The hash in a robot's name; undefined for another trigger's robot. */
function markIn(name: string, trigger: TriggerNode): string | undefined {
	const owner = ownerOf(trigger);
	return new RegExp(`[ (]${owner} ?([0-9a-f]{8})\\)?$`).exec(name)?.[1];
}

async function robotsOf({ trigger, maxun }: Control): Promise<Robot[]> {
	const named = await maxun.robots.list({ q: ownerOf(trigger) }, Infinity);
	return named.filter(({ name }) => markIn(name, trigger) !== undefined);
}

export const contextOf = (
	{ trigger, maxun }: Control,
	log: (message: string) => void,
): RunContext => ({
	...{ accountKey: trigger.key, concurrency: CONCURRENCY, maxun, onLeftover: trigger.warn },
	...{ isLastAttempt: true, usual: new Map(), lists: new Map(), keptInUse: new Set() },
	toBinary: async () => await Promise.reject(new Error('A poll reads no files')),
	hint: (message, _, subject) => log([message, subject].filter(Boolean).join(': ')),
});

/** Creates a robot that expires, in case n8n is killed in between. @returns its ID */
async function create(
	subject: Subject,
	definition: ExtractDefinition | undefined,
): Promise<string> {
	const { trigger, maxun, page } = subject;
	const { url } = page;
	const context = contextOf(subject, trigger.info);
	await deleteExpired(context);
	const lesson =
		definition && exampleLesson(definition, async () => await Promise.resolve(definition));
	const reading = async () => {
		const learnt = lesson && (await learnNow(context, lesson, CREATION_TIME));
		for (const hint of learnt?.hints ?? []) context.hint(...hint);
		return definition && withSelectors(definition, learnt?.selectors);
	};
	const complete = await (definition?.examples ? onceAnHour(trigger.memory, reading) : reading());
	const name = temporaryName('page', 'robot', { maxun }, CREATION_TIME);
	const creating = complete
		? maxun.extractRobots.create(name, complete)
		: maxun.robots.create('scrape', { name, url, formats: ['markdown'] });
	return await createNamed(maxun, name, creating);
}

/** Reading a page uses credits, so what has failed fails again for an hour, or until the workflow is published. */
async function onceAnHour<T>(memory: TriggerNode['memory'], read: () => Promise<T>): Promise<T> {
	if (memory.unread && !isDueSince(memory.unread.at)) throw memory.unread.fault;
	return await recover(read(), {
		any: (fault: MaxunFault) => {
			memory.unread = { fault, at: Date.now() };
			throw fault;
		},
	});
}

/** Switches the schedule off. @param isLast whether the robot expires @returns what is still on */
export async function stopPage(subject: Control, isLast: boolean): Promise<string[]> {
	const active = (await robotsOf(subject)).filter(({ name }) => !isTemporaryName(name));
	const left: string[] = [];
	for (const robot of active) {
		left.push(...(isLast ? await expire(subject, robot) : await switchOff(subject, robot.id)));
	}
	return left;
}

/** @returns what is still on */
async function expire(subject: Control, { id, name }: Robot): Promise<string[]> {
	const { trigger, maxun } = subject;
	const left = await switchOff(subject, id);
	const form = markIn(name, trigger) ?? '';
	const expired = expiringName('page', maxun, EXPIRY_TIME, ownerOf(trigger) + form);
	const failed = await recover(
		maxun.robots.update(id, { name: expired }).then(() => []),
		{
			notFound: () => [],
			any: ({ text }) => [`The robot ${id} remains. Delete it in Maxun. ${text}`],
		},
	);
	return [...left, ...failed];
}

/** Removes a schedule. A team member may only make it as rare as possible. @returns what is still on */
async function switchOff({ trigger, maxun }: Control, id: string): Promise<string[]> {
	const rare = { ...RARE, timezone: trigger.timezone };
	return await recover(
		maxun.schedules.delete(id).then(() => []),
		{
			notFound: () => [],
			any: async (fault) => {
				const isRare = fault.status === 403 && !(await faultOf(maxun.schedules.set(id, rare)));
				const what = isRare ? 'checks the page once a month' : 'checks the page';
				const message = `The robot ${id} still ${what}. Delete its schedule in Maxun. ${fault.text}`;
				if (isRare) trigger.warn(message);
				return isRare ? [] : [message];
			},
		},
	);
}
