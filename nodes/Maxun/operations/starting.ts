import { inputsField } from '../fields/inputs';
import type { agentField, robotField } from '../fields/locators';
import { checkSelectedFields, outputFields } from '../fields/output';
import { runOptionsField, startOptions, startOptionsField } from '../fields/runOptions';
import type { StartedRun, WaitSettings } from '../runs/types';
import type { MaxunServer, ServerParts, StartOptions } from '../servers/types';
import { called, type OperationContext, waitingOperation } from './operation';

/** Only says how long to wait until the server can start the run. */
const STARTED: WaitSettings = {
	timeoutMinutes: 60,
	onTimeout: 'error',
	output: 'simplified',
	delayBeforeStart: 0,
};

interface Startable {
	locator: typeof robotField | typeof agentField;
	/** `a robot` or `an agent`. */
	noun: string;
	needs: (parts: ServerParts) => unknown;
	startRun: (maxun: MaxunServer, id: string, options: StartOptions) => Promise<StartedRun>;
}

type Fields = Parameters<typeof startOptions>[0] & Record<Startable['locator']['name'], string>;

/** The operations that run a robot or an agent: Run and Wait, and Start. */
export function startingOperations({ locator, noun, needs, startRun }: Startable) {
	const word = locator.displayName.toLowerCase();
	const shared = {
		needs,
		start: async (_needed: unknown, params: Fields, { maxun, item }: OperationContext) =>
			await startRun(maxun, params[locator.name], startOptions(params, item)),
	};
	const inputs = inputsField(locator.name);
	return {
		runAndWait: waitingOperation({
			...shared,
			value: 'runAndWait',
			name: 'Run and Wait',
			action: `Run ${word} and wait`,
			description: `Start ${noun} and return its data when the run has ended`,
			builderHint: `Use this to run an existing ${word} and get its data. It replaces Start, a Wait node and Get.`,
			properties: [locator, inputs, ...outputFields, runOptionsField(locator.name === 'robotId')],
			rule: checkSelectedFields,
			settings: ({ options, output, fields, ...ids }) => ({
				...options,
				robotId: ids[locator.name],
				output,
				fields,
			}),
		}),
		start: waitingOperation({
			...shared,
			...called('start', 'Start', word === 'robot' ? 'run' : word),
			description: `Start ${noun} and continue without waiting for its data`,
			builderHint:
				'Use this only if this workflow does not need the data. Otherwise, use Run and Wait.',
			properties: [locator, inputs, startOptionsField],
			waits: false,
			settings: (ids) => ({ ...STARTED, robotId: ids[locator.name] }),
		}),
	};
}
