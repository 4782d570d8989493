import { MaxunFault, recover } from '../http/fault';
import { isObject } from '../http/values';
import { isTemporaryName } from '../runs/expiry';
import { idOfNamed, nameInLocator, NAMED_LOCATORS } from '../servers/named';
import type { MaxunServer } from '../servers/types';

/** Looks up each name once, even if the robot is renamed later. */
export class Names {
	private readonly looking = new Map<string, Promise<string>>();

	constructor(readonly ids: Record<string, string>) {}

	/** Replaces names with IDs. @throws MaxunFault unless exactly one robot has the name */
	async resolve(
		parameters: Record<string, unknown>,
		maxun: MaxunServer,
	): Promise<Record<string, unknown>> {
		for (const [field, type] of NAMED_LOCATORS) {
			const name = nameInLocator(parameters[field]) ?? nameOfBuilding(parameters[field]);
			if (name === undefined) continue;
			const key = JSON.stringify([maxun.teamId, type, name]);
			const known = this.ids[key];
			const looking = known ?? this.looking.get(key) ?? lookUpId(maxun, name, type);
			this.looking.set(key, Promise.resolve(looking));
			this.ids[key] = await looking;
			return { ...parameters, [field]: this.ids[key] };
		}
		return parameters;
	}
}

function nameOfBuilding(locator: unknown): string | undefined {
	const value = isObject(locator) ? locator.value : locator;
	return typeof value === 'string' && isTemporaryName(value.trim()) ? value : undefined;
}

const lookUpId = async (maxun: MaxunServer, name: string, type: 'agent' | undefined) =>
	await recover(idOfNamed(maxun, name, type), {
		any: (fault) => {
			if (fault.temporary || !isTemporaryName(name.trim())) throw fault;
			throw new MaxunFault(
				`Maxun has not built the agent '${name}' yet`,
				'Building usually takes a minute or two, sometimes longer',
				{
					forModel:
						'Call the tool again in a minute. If the agent is still not ready after ten minutes, building it has failed',
				},
			);
		},
	});
