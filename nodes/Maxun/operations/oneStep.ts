import type { IBinaryData, IDataObject } from 'n8n-workflow';
import type { TemporaryOptions } from '../fields/keepRobot';
import type { TableSettings } from '../results/table';
import { builtAgent } from '../runs/agentReady';
import { startTemporary } from '../runs/temporary';
import type { OperationContext, WaitingSpec } from './operation';

interface OneStep<P, N> {
	/** The operation, which is part of the robot's name. */
	what: string;
	kind?: 'robot' | 'agent';
	/** The part of a server that creates the robot. */
	needs: WaitingSpec<P, N>['needs'];
	create: (
		needed: N,
		params: P,
		name: string,
		context: Pick<OperationContext, 'document'>,
	) => Promise<IDataObject>;
	/** The binary field with the file that the robot reads. Its items contain the name of the file. */
	fileIn?: (params: P) => string | IBinaryData;
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
	options: TemporaryOptions & { downloadScreenshots?: boolean };
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
	fileIn,
}: OneStep<P, N>): WaitingSpec<P, N> => ({
	parallel: true,
	needs,
	check: async (params, { document }) => void (fileIn && (await document(fileIn(params)))),
	start: async (needed, params, context) => {
		const { keepRobot, timeoutMinutes } = params.options;
		const file = fileIn && (await context.document(fileIn(params)));
		const document = async (field: string | IBinaryData) => file ?? (await context.document(field));
		return await startTemporary(context, {
			fileName: file?.fileName,
			kind,
			what,
			keep: keepRobot,
			timeoutMinutes,
			create: async (name) => await create(needed, params, name, { document }),
			options: {},
			fields: file ? { fileName: file.fileName } : fields?.(params),
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
