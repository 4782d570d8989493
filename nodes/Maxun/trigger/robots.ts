import { faultOf, recover } from '../http/fault';
import { quoted } from '../http/text';
import type { RobotFault } from '../servers/eachRobot';
import { idOfNamed, isName } from '../servers/named';
import type { MaxunServer } from '../servers/types';
import { serverOf } from './cursor';
import { isDueSince } from './memory';
import { keepPage } from './page';
import type { TriggerRecord } from './record';
import { PAGE_ROBOT, type TriggerSettings } from './settings';
import type { TriggerNode } from './triggerNode';

/** Settings with IDs instead of names and the page. A name without a known ID stays, and Maxun doesn't find it. */
export const withIds = (
	settings: TriggerSettings,
	{ names, page }: TriggerRecord,
): TriggerSettings => ({
	...settings,
	robotIds: [
		...new Set(
			settings.robotIds.map((id) =>
				settings.page && id === PAGE_ROBOT ? (page?.robotId ?? id) : (names.ids[id] ?? id),
			),
		),
	],
});

/**
 * Looks up robots by name, and makes sure that the page's robot exists: at the first call, and then once an hour.
 *
 * @returns whether this was due
 * @throws MaxunFault if no robot is known
 */
export async function checkRobots(
	trigger: TriggerNode,
	settings: TriggerSettings,
	maxun: MaxunServer,
): Promise<boolean> {
	const memory = trigger.memory;
	return await trigger.inTurn('robots', async () => {
		const { names, page } = trigger.record();
		const hasNames = settings.robotIds.some(isName);
		// Another publication's copy of the record may have what this one lacks.
		const isMissing = settings.page ? !page : hasNames && names.server !== serverOf(maxun);
		const isFirst = memory.checkedAt === undefined;
		const isDue = isMissing || isDueSince(memory.checkedAt);
		if (!isDue || trigger.memory !== memory) return false;
		if (settings.page) await checkPage(trigger, settings.page, maxun, isFirst);
		else await checkNames(trigger, settings, maxun);
		memory.checkedAt = Date.now();
		return true;
	});
}

async function checkPage(
	trigger: TriggerNode,
	page: NonNullable<TriggerSettings['page']>,
	maxun: MaxunServer,
	isFirst: boolean,
): Promise<void> {
	const isPublishing = isFirst && !trigger.isStart && !trigger.isTest;
	const fault = await faultOf(keepPage({ trigger, maxun, page }, isPublishing));
	if (fault && (!trigger.record().page || isPublishing || trigger.isTest)) throw fault;
	trigger.tell('page', fault ? `Maxun might not check the page. ${fault.text}` : '');
}

/** A renamed robot keeps its ID. A name that nobody or several robots have doesn't affect the other robots. */
async function checkNames(
	trigger: TriggerNode,
	{ robotIds }: TriggerSettings,
	maxun: MaxunServer,
): Promise<void> {
	const wanted = robotIds.filter(isName);
	if (robotIds.length < 2 && wanted.length === 0) return;
	const server = serverOf(maxun);
	const { names } = trigger.record();
	const known = names.server === server ? names.ids : {};
	const all = robotIds.length > 1 ? maxun.robots.list({}, Infinity) : undefined;
	const lookup = all ? { robots: { ...maxun.robots, list: async () => await all } } : maxun;
	const unknown: RobotFault[] = [];
	const ids: Record<string, string> = {};
	for (const name of wanted) {
		const id = await recover(idOfNamed(lookup, name), {
			any: (fault) => {
				if (!known[name]) unknown.push({ robotId: name, fault });
				return known[name];
			},
		});
		if (id !== undefined) ids[name] = id;
	}
	const [first] = unknown;
	if (first && unknown.length === robotIds.length) throw first.fault;
	trigger.saveRecord({ names: { server, ids } });
	const listed = new Set(
		(await recover(Promise.resolve(all), { any: () => undefined }))?.map(({ id }) => id),
	);
	const missing = listed.size > 0 ? robotIds.filter((id) => !isName(id) && !listed.has(id)) : [];
	const messages = unknown.map(({ fault }) => fault.message);
	if (missing.length > 0) messages.push(`Maxun does not know the robots ${quoted(missing, 10)}`);
	trigger.tell(
		'names',
		messages.length > 0
			? `${messages.join('. ')}. The trigger continues with its other robots`
			: '',
	);
}
