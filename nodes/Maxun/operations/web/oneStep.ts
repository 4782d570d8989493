import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod';
import type { WaitingSpec } from '../../engine/operation';
import type { temporaryParameters } from '../../fields/keepRobot';
import { paceOf } from '../../fields/runOptions';
import { agentReady } from '../../runs/agentReady';
import { startTemporary } from '../../runs/temporary';

interface OneStep<P, N> {
	/** The operation, which is part of the robot's name. */
	what: string;
	kind?: 'robot' | 'agent';
	/** The part of a server that creates the robot. */
	needs: WaitingSpec<P, N>['needs'];
	create: (needed: N, params: P, name: string) => Promise<IDataObject>;
	/** Fields added before those of each item. */
	fields?: (params: P) => IDataObject;
}

interface OneStepParameters {
	/** Rows by default. */
	output?: 'rows' | 'documents';
	options: z.output<typeof temporaryParameters> & { downloadScreenshots?: boolean };
}

/** Creates a robot, runs it once, returns its rows and deletes it, whatever happens. */
export const oneStep = <P extends OneStepParameters, N>({
	what,
	kind = 'robot',
	needs,
	create,
	fields,
}: OneStep<P, N>): WaitingSpec<P, N> => ({
	parallel: true,
	creates: true,
	needs,
	start: async (needed, params, context) => {
		const { keepRobot, waitFor } = params.options;
		return await startTemporary(context, {
			kind,
			what,
			keep: keepRobot,
			create: async (name) => await create(needed, params, name),
			options: paceOf(params.options),
			fields: fields?.(params),
			...(kind === 'agent' && {
				ready: async (agentId) => await agentReady(context.maxun, agentId, waitFor),
			}),
		});
	},
	settings: ({ options, output = 'rows' }) => ({ downloadScreenshots: false, ...options, output }),
	maxRuns: ({ options }) => options.maxRuns,
});
