import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { cut, looksLike, short } from '../http/text';
import { ROBOT_FIELDS } from '../results/robotOutput';
import { PAGE_URL, RUN_FIELDS, selectableFields } from '../results/rows';
import { columnsInForm, exampleRuns, isOfUser, lookUp, robotItem } from './context';

const SAMPLE_LENGTH = 80;

function excerpt(value: unknown): string {
	if (value === null || value === undefined) return '';
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return short(looksLike(cut(text, SAMPLE_LENGTH * 4)), SAMPLE_LENGTH);
}

const asOptions = (names: string[]): INodePropertyOptions[] =>
	names.map((name) => ({ name, value: name }));

type Load = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

export const loadOptions: Record<string, Load> = {
	async getColumns() {
		const described = columnsInForm(this);
		if (described.length > 0) return asOptions(described);
		const fields = await loadOptions.getRunFields.call(this);
		return fields.filter(({ value }) => !RUN_FIELDS.includes(String(value)));
	},

	/** n8n only accepts an empty field if its list has an empty value. */
	async getConditionColumns() {
		return [{ name: 'Whole Row or Page', value: '' }, ...(await loadOptions.getColumns.call(this))];
	},

	async getRobotFields() {
		return await Promise.resolve(asOptions(ROBOT_FIELDS));
	},

	async getRobots() {
		const all = await lookUp(this, async ({ robots }) => await robots.list({}, Infinity));
		return all
			.filter(isOfUser)
			.map(robotItem)
			.sort((a, b) => a.name.localeCompare(b.name));
	},

	/** With values from a robot's last completed run. */
	async getRunFields() {
		const runs = await lookUp(this, async (maxun) => await exampleRuns(this, maxun));
		const values = new Map<string, unknown>();
		for (const { path, value } of runs.flatMap(selectableFields)) {
			if (!values.has(path)) values.set(path, value);
		}
		const ofRows = [...values.keys()].filter((path) => !RUN_FIELDS.includes(path));
		const ofPage = this.getCurrentNodeParameter('operation') === 'runOnUrls' ? [PAGE_URL] : [];
		return [...ofRows, ...ofPage, ...RUN_FIELDS].map((path) => {
			const sample = excerpt(values.get(path));
			return { name: path, value: path, ...(sample && { description: `e.g. ${sample}` }) };
		});
	},

	async getTimezones() {
		const names = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
		const options = [{ name: 'Time Zone of the Workflow', value: '' }, ...asOptions(names)];
		return await Promise.resolve(options);
	},
};
