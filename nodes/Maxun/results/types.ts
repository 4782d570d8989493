import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';
import type { MaxunServer } from '../servers/types';
import type { Hint } from './hint';
import type { Output, OutputSettings } from './outputForms';

export type Item = Pick<INodeExecutionData, 'json' | 'binary'>;

/** What to return for a run. */
export interface RunOutput extends OutputSettings {
	output: Output;
	/** What the run reads, for messages: the URL of its page, a search or a prompt. By default its robot. */
	subject?: string;
	downloadScreenshots: boolean;
}

/** What is needed to read a run. */
export interface RunReader {
	readonly maxun: MaxunServer;
	readonly hint: Hint;
	/** Stores data as an n8n file. */
	toBinary(data: Buffer, name: string): Promise<IBinaryData>;
}
