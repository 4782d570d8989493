import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';
import type { MaxunServer } from '../servers/types';
import type { Hint } from './hint';
import type { Output, OutputSettings } from './outputForms';

export type Item = Pick<INodeExecutionData, 'json' | 'binary'>;

/** What the rows of a run must be like. */
export interface DataChecks {
	minRows?: number;
	/** Columns, each with the percentage of rows in which it must have a value. */
	filledColumns: Array<{ column: string; share: number }>;
	/** How many percent fewer rows than usual are accepted. */
	mostFewer?: number;
	ifCheckFails: 'error' | 'items' | 'nothing';
}

/** What to return for a run. */
export interface RunOutput extends OutputSettings {
	output: Output;
	/** What the run reads, for messages: the URL of its page, a search or a prompt. By default its robot. */
	subject?: string;
	downloadScreenshots: boolean;
	/** Whether the robot reads lists: without a row of them, there is no data. */
	hasLists?: boolean;
	dataChecks?: DataChecks;
}

/** What is needed to read a run. */
export interface RunReader {
	readonly maxun: MaxunServer;
	readonly hint: Hint;
	/** The usual numbers of rows, by robot: read once for an execution, with up to six requests. */
	readonly usual: Map<string, Promise<number | undefined>>;
	/** Stores data as an n8n file. */
	toBinary(data: Buffer, name: string): Promise<IBinaryData>;
}
