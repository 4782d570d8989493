import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	EngineResponse,
	IExecuteFunctions,
	INodeType,
	INodeTypeDescription,
	NodeOutput,
} from 'n8n-workflow';
import { execute } from './execution/execute';
import { propertiesOf, subtitleOf } from './operations/properties';
import { serverField } from './fields/server';
import { credentialTest } from './lookups/credentialTests';
import { listSearch } from './lookups/listSearch';
import { loadOptions } from './lookups/loadOptions';
import { resourceMapping } from './lookups/resourceMapping';
import { resources } from './operations';

export class Maxun implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Maxun',
		name: 'maxun',
		icon: { light: 'file:../../icons/maxun.svg', dark: 'file:../../icons/maxun.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: subtitleOf(resources),
		description: 'Get data from websites, run web data-extraction robots and compare their runs',
		defaults: { name: 'Maxun' },
		waitingNodeTooltip: 'Waiting for the runs to end in Maxun. n8n checks again automatically.',
		usableAsTool: {
			replacements: {
				description:
					'Read web pages, search the web, extract data from websites, and run web scraping robots',
			},
		},
		builderHint: {
			searchHint:
				'Use this for web scraping, crawling and data extraction. The resource Web does not need a robot. The resource Run runs robots that the user has built in Maxun.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-maxun-robots.maxunTrigger',
					relationHint: 'To start a workflow when a run ends, instead of waiting for it',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		// n8n's linter only reads literals here.
		credentials: [
			{
				name: 'maxunCloudApi',
				required: true,
				testedBy: 'cloud',
				displayOptions: { show: { server: ['cloud'] } },
			},
			{
				name: 'maxunSelfHostedApi',
				required: true,
				testedBy: 'selfHosted',
				displayOptions: { show: { server: ['selfHosted'] } },
			},
			{
				name: 'maxunWebsiteLoginApi',
				displayName: 'Website Login (Optional)',
				required: false,
				testedBy: 'login',
				// Without the slashes, n8n's editor treats 'resource' as the selected credential, and hides it.
				displayOptions: {
					show: {
						'/resource': ['robot', 'web'],
						'/operation': ['createExtract', 'extractRows', 'getChanges'],
					},
				},
			},
		],
		properties: propertiesOf(resources, serverField),
	};

	methods = { listSearch, loadOptions, resourceMapping, credentialTest };

	async execute(this: IExecuteFunctions, response?: EngineResponse): Promise<NodeOutput> {
		return await execute(this, resources, response, this.continueOnFail());
	}
}
