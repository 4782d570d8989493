import type { IBinaryData, IDataObject } from 'n8n-workflow';
import type { Field, Values } from '../fields/field';
import type { TemporaryOptions } from '../fields/runOptions';
import type { TableSettings } from '../results/table';
import type { WaitSettings } from '../runs/types';
import { builtAgent } from '../runs/agentReady';
import { startKeptOrNew } from '../runs/reuse';
import { MOST_ROBOTS, type TemporarySpec } from '../runs/temporary';
import {
	type Operation,
	type OperationContext,
	type OperationInfo,
	waitingOperation,
	type WaitingSpec,
} from './operation';

interface OneStep<P, N>
	extends Pick<WaitingSpec<P, N>, 'fields' | 'lesson' | 'needs' | 'sharesRuns'> {
	operation: string;
	kind?: 'robot' | 'agent';
	create: (needed: N, params: P, name: string, context: OperationContext) => Promise<IDataObject>;
	settings: (params: P) => OneStepSettings;
}

interface OneStepSettings
	extends Partial<Pick<WaitSettings, 'address' | 'keeping' | 'lists' | 'output' | 'siteMap'>> {
	options: TemporaryOptions;
	url?: string;
	query?: string;
	prompt?: string;
	/** Items contain the file's name. */
	file?: string | IBinaryData;
	/** If no option defines columns. */
	table?: TableSettings;
}

/** Creates a robot, runs it once, returns its rows, and deletes it even if something fails. */
export const oneStep = <const F extends Field, N>({
	operation,
	kind = 'robot',
	create,
	settings,
	...spec
}: OperationInfo<F> & OneStep<Values<F>, N>): Operation =>
	waitingOperation({
		...spec,
		check: async (params, { document }) => {
			const { file } = settings(params);
			if (file) await document(file);
		},
		start: async (needed, params, context) => {
			const { options, file: given, url = '' } = settings(params);
			const file = given ? await context.document(given) : undefined;
			const document = async (field: string | IBinaryData) =>
				file ?? (await context.document(field));
			const spec: TemporarySpec = {
				fileName: file?.fileName,
				kind,
				operation,
				keep: options.keepRobot,
				timeoutMinutes: options.timeoutMinutes,
				create: async (name) => await create(needed, params, name, { ...context, document }),
				checkReady: async (id) => kind === 'agent' && (await builtAgent(context.maxun, id)),
			};
			return await startKeptOrNew(context, spec, url);
		},
		settings: (params) => {
			const { options, output = 'rows', file, url, query, prompt, ...more } = settings(params);
			const { table, siteMap, lists, address, keeping } = more;
			const given = url ? { url } : query ? { query } : { prompt };
			return {
				...options,
				...table,
				output: siteMap ? 'siteMap' : output,
				siteMap,
				// The screenshots are deleted with the robot.
				downloadScreenshots: true,
				onTimeout: 'error',
				cancelOnTimeout: true,
				maxQueued: MOST_ROBOTS,
				lists,
				address,
				keeping,
				origin: file ? {} : given,
				subject: file ? '' : (url ?? query ?? prompt ?? ''),
			};
		},
	});
