import type { IDataObject } from 'n8n-workflow';
import type { Run } from '../servers/entities';
import { documentsOf } from './ragDocuments';
import { selectedOf, simplified } from './rows';
import { tableOf, type TableSettings } from './table';
import type { Hint } from './hint';

/** How to make the items of a run. */
export interface OutputSettings extends TableSettings {
	/** The selected fields. */
	fields?: string[];
	/** The URL of the run's only page. */
	address?: string;
	/** The page of relative links. */
	page?: string;
	/** Fields of the operation, which can be columns of a table. */
	extra?: IDataObject;
}

type Make = (run: Run, settings: OutputSettings, hint: Hint) => IDataObject[];

/** The forms of output. */
const OUTPUT_FORMS = {
	documents: (run, { address }) => documentsOf(run, address),
	fields: (run, { fields = [] }) => selectedOf(run, fields),
	raw: (run) => [run],
	rows: (run, settings, hint) =>
		tableOf(run, settings, { page: settings.page, fields: settings.extra }, hint),
	simplified: (run) => [simplified(run)],
} satisfies Record<string, Make>;

export type Output = keyof typeof OUTPUT_FORMS;

/** A run in a form of output. Rows would not show that a run continues or has failed, so that run itself is returned. */
export function makeOutput(
	run: Run,
	settings: OutputSettings & { output: Output },
	hint: Hint,
): IDataObject[] {
	const showsRun = run.status === 'success' || settings.output === 'raw';
	return OUTPUT_FORMS[showsRun ? settings.output : 'simplified'](run, settings, hint);
}
