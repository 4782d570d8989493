import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { List } from '../servers/definition';
import type { MaxunServer } from '../servers/types';
import type { Captured } from './captured';
import type { Hint } from './hint';
import type { Output, OutputSettings } from './outputForms';

export type Item = Pick<INodeExecutionData, 'json' | 'binary'>;

export interface ColumnCheck {
	column: string;
	check: 'filled' | 'number' | 'date' | 'link' | 'unique' | 'atLeast' | 'atMost' | 'changesBy';
	/** A limit, or a percentage. */
	value?: number;
	/** The percentage of rows that must pass. */
	share?: number;
}

export interface DataChecks {
	minRows?: number;
	columnChecks: ColumnCheck[];
	/** The largest accepted drop below the usual number of rows, in percent. */
	mostFewer?: number;
	ifCheckFails: 'error' | 'items' | 'nothing';
}

export interface RunOutput extends OutputSettings {
	output: Output;
	/** What the run reads, for messages: its page's URL, a search or a prompt. By default, its robot. */
	subject?: string;
	downloadScreenshots?: boolean;
	/** What the robot reads. Without rows of these lists, its run has no data. */
	lists?: Array<Pick<List, 'name' | 'rowLimit' | 'isOptional'>>;
	dataChecks?: DataChecks;
	/** What to do if the run fails. Unless it is `error`, operations on several pages continue with the other pages. */
	onFailure?: 'error' | 'return' | 'skip';
	ifNoData?: 'error' | 'item' | 'nothing';
}

export interface OutcomeSettings extends RunOutput {
	about?: string;
	advice?: string;
	/** Whether a failed run's data is returned like that of a run that stopped early. */
	returnsPartial?: boolean;
	rows?: IDataObject[];
	itemOfRun?: IDataObject;
	itemOfEmpty?: IDataObject;
	/** The usual number of rows of the robot's runs. */
	usual?: number;
	former?: Captured;
	/** If the run is empty: the number of rows of the last good run before it. */
	rowsBefore?: number;
}

export interface RunReader {
	readonly maxun: MaxunServer;
	readonly hint: Hint;
	/** The usual and the last good numbers of rows, by robot. Each is read once for an execution. */
	readonly usual: Map<string, Promise<number | undefined>>;
	toBinary(data: Buffer, name: string): Promise<IBinaryData>;
}
