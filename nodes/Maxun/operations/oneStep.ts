import type { IBinaryData, IDataObject } from 'n8n-workflow';
import type { TemporaryOptions } from '../fields/runOptions';
import type { Output } from '../results/outputForms';
import type { SiteMapSettings } from '../results/siteMap';
import type { TableSettings } from '../results/table';
import type { RunOutput } from '../results/types';
import { builtAgent } from '../runs/agentReady';
import { MOST_ROBOTS, startTemporary } from '../runs/temporary';
import type { OperationContext, WaitingSpec } from './operation';

interface OneStep<P, N> {
	operation: string;
	kind?: 'robot' | 'agent';
	needs: WaitingSpec<P, N>['needs'];
	create: (needed: N, params: P, name: string, context: OperationContext) => Promise<IDataObject>;
	/** Items contain the file's name. */
	fileIn?: (params: P) => string | IBinaryData;
	/** If no option defines columns. */
	table?: (params: P) => TableSettings;
	lists?: (params: P) => RunOutput['lists'];
	fields?: (params: P) => IDataObject;
	address?: (params: P) => string;
	/** Which of the site's URLs to return, instead of its rows. */
	siteMap?: (params: P) => SiteMapSettings;
}

interface OneStepParameters {
	output?: Output;
	options: TemporaryOptions;
	url?: string;
	query?: string;
	prompt?: string;
}

/** Creates a robot, runs it once, returns its rows, and deletes it even if something fails. */
export const oneStep = <P extends OneStepParameters, N>(step: OneStep<P, N>): WaitingSpec<P, N> => {
	const { kind = 'robot', operation, needs, fileIn, siteMap } = step;
	return {
		needs,
		check: async (params, { document }) => void (fileIn && (await document(fileIn(params)))),
		start: async (needed, params, context) => {
			const { keepRobot, timeoutMinutes } = params.options;
			const file = fileIn && (await context.document(fileIn(params)));
			const document = async (field: string | IBinaryData) =>
				file ?? (await context.document(field));
			return await startTemporary(context, {
				fileName: file?.fileName,
				kind,
				operation,
				keep: keepRobot,
				timeoutMinutes,
				create: async (name) => await step.create(needed, params, name, { ...context, document }),
				options: {},
				fields: file ? { fileName: file.fileName } : step.fields?.(params),
				...(kind === 'agent' && {
					checkReady: async (agentId) => await builtAgent(context.maxun, agentId),
				}),
			});
		},
		settings: (params) => {
			const { options, output = 'rows', url, query, prompt } = params;
			const given = url ? { url } : query ? { query } : { prompt };
			return {
				...options,
				...step.table?.(params),
				output: siteMap ? 'siteMap' : output,
				siteMap: siteMap?.(params),
				// The screenshots are deleted with the robot.
				downloadScreenshots: true,
				onTimeout: 'error',
				maxQueued: MOST_ROBOTS,
				lists: step.lists?.(params),
				address: step.address?.(params),
				origin: fileIn ? {} : given,
				subject: fileIn ? '' : (url ?? query ?? prompt ?? ''),
			};
		},
	};
};
