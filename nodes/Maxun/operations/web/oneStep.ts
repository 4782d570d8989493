import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod';
import type { WaitingSpec } from '../operation';
import type { temporaryParameters } from '../../fields/keepRobot';
import { builtAgent } from '../../runs/agentReady';
import type { TableSettings } from '../../results/table';
import { startTemporary } from '../../runs/temporary';

interface OneStep<P, N> {
	/** The operation, which is part of the robot's name. */
	what: string;
	kind?: 'robot' | 'agent';
	/** The part of a server that creates the robot. */
	needs: WaitingSpec<P, N>['needs'];
	create: (needed: N, params: P, name: string) => Promise<IDataObject>;
	/** How to make rows, unless the options say that. */
	table?: (params: P) => TableSettings;
	/** Fields added before those of each item. */
	fields?: (params: P) => IDataObject;
	/** The URL of the page with all data. */
	address?: (params: P) => string;
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
	table,
	address,
}: OneStep<P, N>): WaitingSpec<P, N> => ({
	parallel: true,
	needs,
	start: async (needed, params, context) => {
		const { keepRobot, timeoutMinutes } = params.options;
		return await startTemporary(context, {
			kind,
			what,
			keep: keepRobot,
			timeoutMinutes,
			create: async (name) => await create(needed, params, name),
			options: {},
			fields: fields?.(params),
			...(kind === 'agent' && {
				checkReady: async (agentId) => await builtAgent(context.maxun, agentId),
			}),
		});
	},
	settings: (params) => {
		const { options, output = 'rows' } = params;
		const { columns: own = [], ...made } = table?.(params) ?? {};
		const columns = options.columns.length > 0 ? options.columns : own;
		return {
			downloadScreenshots: false,
			...options,
			...made,
			columns,
			output,
			address: address?.(params),
		};
	},
});
