import { recover } from '../http/fault';
import { quoted } from '../http/text';
import type { RobotFault } from '../servers/eachRobot';
import { idOfNamed, isName } from '../servers/named';
import { serverOf } from './cursor';
import { isDueSince } from './memory';
import type { TriggerRecord } from './record';
import type { Connected, TriggerSettings } from './settings';

/** Settings with IDs instead of names. A name without an ID is kept, and Maxun doesn't find it. */
export const withIds = (settings: TriggerSettings, { names }: TriggerRecord) => ({
	...settings,
	robotIds: [...new Set(settings.robotIds.map((id) => names.ids[id] ?? id))],
});

/**
 * Looks up robots by name: at the first call, and then once an hour.
 *
 * @returns whether this was due
 * @throws MaxunFault if no robot is known
 */
export async function checkNames(connected: Connected): Promise<boolean> {
	const { trigger, maxun, given } = connected;
	const { robotIds } = given;
	const memory = trigger.memory;
	return await trigger.inTurn('names', async () => {
		const { names } = trigger.record();
		// Another publication's copy of the record may have what this copy lacks.
		const isMissing = robotIds.some(isName) && names.server !== serverOf(maxun);
		const isDue = isMissing || isDueSince(memory.checkedAt);
		if (!isDue || trigger.memory !== memory) return false;
		await readNames(connected);
		memory.checkedAt = Date.now();
		return true;
	});
}

/** A renamed robot keeps its ID. A name that no robot or several robots have doesn't affect the other robots. */
async function readNames({ trigger, maxun, given: { robotIds } }: Connected): Promise<void> {
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
	if (missing.length > 0) messages.push(`Maxun does not have the robots ${quoted(missing, 10)}`);
	const message = `${messages.join('. ')}. The trigger continues with its other robots`;
	trigger.tell('names', messages.length > 0 ? message : '');
}
