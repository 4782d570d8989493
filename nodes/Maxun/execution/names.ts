import type { ItemState } from './state';
import { idOfNamed, nameIn, NAMED_LOCATORS } from '../servers/named';
import type { MaxunServer } from '../servers/types';

/** The names of robots in the parameters of an execution. Looks up each name once. */
export class Names {
	private readonly ids = new Map<string, Promise<string>>();

	/**
	 * Replaces names by IDs.
	 *
	 * @param states of the item before a pause or the current attempt. The ID of a run's robot needs no request, even if
	 *   the robot has another name by now
	 * @throws MaxunFault if no robot or several robots have a name
	 */
	async resolve(
		parameters: Record<string, unknown>,
		maxun: MaxunServer,
		states: ItemState[] = [],
	): Promise<Record<string, unknown>> {
		for (const [field, type] of NAMED_LOCATORS) {
			const name = nameIn(parameters[field]);
			if (name === undefined) continue;
			const key = JSON.stringify([maxun.teamId, type, name]);
			const [started] = states.flatMap((state) => ('run' in state ? [state.run] : []));
			const known = started && Promise.resolve(started.duplicateOf ?? started.robotId);
			const finding = known ?? this.ids.get(key) ?? idOfNamed(maxun, name, type);
			this.ids.set(key, finding);
			return { ...parameters, [field]: await finding };
		}
		return parameters;
	}
}
