import type { INodePropertyOptions } from 'n8n-workflow';
import { ACTION_NODE, loadPackage } from '../../helpers/engine/index.mts';

export interface Offer extends INodePropertyOptions {
	resource: string;
	/** The resource and the value, such as `run: getAll`. */
	id: string;
	/** The name in the documents, such as `Run: Get Many`. */
	title: string;
}

export async function offers(): Promise<Offer[]> {
	const { nodeTypes } = await loadPackage();
	const { properties } = nodeTypes.getByNameAndVersion(ACTION_NODE).description;
	const choicesOf = (field: string) =>
		properties
			.filter(({ name }) => name === field)
			.map(({ options = [], displayOptions }) => ({
				choices: options.filter((option) => 'value' in option),
				resource: String(displayOptions?.show?.resource?.[0]),
			}));
	const [{ choices: resources } = { choices: [] }] = choicesOf('resource');
	return choicesOf('operation').flatMap(({ choices, resource }) => {
		const shown = resources.find(({ value }) => value === resource)?.name;
		return choices.map((choice) => ({
			...choice,
			resource,
			id: `${resource}: ${String(choice.value)}`,
			title: `${shown}: ${choice.name}`,
		}));
	});
}
