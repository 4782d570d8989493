import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { execute } from '../helpers/engine/index.mts';
import { locator, maxun } from '../helpers/parameters.mts';

export interface SubjectOptions {
	url: string;
	key: string;
	/** The URL at which the server finds the demo shop. */
	site: string;
	/** Whether the server is a simulation that doesn't need breaks between runs. */
	simulated?: boolean;
}

/** A self-hosted server, used through the nodes in n8n's engine. Everything that it creates has the same prefix. */
export class Subject {
	readonly prefix = `n8n contract ${randomBytes(3).toString('hex')}`;
	readonly slowSeconds: number = 12;
	private readonly robots = new Map<string, Promise<string>>();
	private made = 0;

	constructor(private readonly options: SubjectOptions) {}

	page(path: string): string {
		return `${this.options.site}${path}`;
	}

	name(): string {
		return `${this.prefix} ${++this.made}`;
	}

	/** Waits for a canceled run's browser, which keeps running. */
	async afterCancel(): Promise<void> {
		await sleep((this.slowSeconds + (this.options.simulated ? 0 : 8)) * 1000);
	}

	runOptions(more: INodeParameters = {}): INodeParameters {
		return { options: { ...(this.options.simulated && { delayBeforeStart: 0 }), ...more } };
	}

	async run(
		resource: string,
		operation: string,
		parameters: INodeParameters = {},
		file?: INodeExecutionData['binary'],
	): Promise<IDataObject[]> {
		const { url: baseUrl, key: apiKey } = this.options;
		const { items, error } = await execute({
			parameters: maxun(resource, operation, { server: 'selfHosted', ...parameters }),
			credentials: { maxunSelfHostedApi: { apiKey, baseUrl, timezone: 'UTC' } },
			...(file && { input: [{ json: {}, binary: file }] }),
		});
		if (error) throw error;
		return (items[0] ?? []).map(({ json }) => json);
	}

	async one(...call: Parameters<Subject['run']>): Promise<IDataObject> {
		const items = await this.run(...call);
		const [item] = items;
		if (item === undefined || items.length > 1) throw new Error(`${items.length} items, not one`);
		return item;
	}

	async scrapeRobot(path = '/articles/oiling-a-desk'): Promise<string> {
		return await this.shared(`scrape ${path}`, async () => {
			const fields = { additionalFields: { name: this.name() } };
			const url = this.page(path);
			return idOf(
				await this.one('robot', 'createScrape', { url, formats: ['markdown'], ...fields }),
			);
		});
	}

	async agent(): Promise<string> {
		return await this.shared('agent', async () => {
			const additionalFields = { name: this.name(), url: this.page('/products') };
			const prompt = 'Get the name and the price of all products';
			return idOf(await this.one('agent', 'create', { prompt, additionalFields }));
		});
	}

	async finishedRun(): Promise<string> {
		return await this.shared('run', async () => {
			const robotId = locator(await this.scrapeRobot());
			const run = { robotId, output: 'raw', ...this.runOptions() };
			return idOf(await this.one('run', 'runAndWait', run));
		});
	}

	async left(): Promise<IDataObject[]> {
		const robots = await this.run('robot', 'getAll', { returnAll: true });
		return robots.filter(({ name }) => String(name).startsWith(this.prefix));
	}

	async count(): Promise<number> {
		return (await this.run('robot', 'getAll', { returnAll: true })).length;
	}

	async cleanUp(): Promise<IDataObject[]> {
		for (const { id } of await this.left()) {
			await this.run('robot', 'delete', { robotId: locator(String(id)) });
		}
		return await this.left();
	}

	private async shared(what: string, create: () => Promise<string>): Promise<string> {
		const known = this.robots.get(what);
		if (known !== undefined) return await known;
		const creation = create();
		this.robots.set(what, creation);
		return await creation;
	}
}

export function idOf({ id }: IDataObject): string {
	if (typeof id === 'string' && id !== '') return id;
	throw new Error('The item has no ID');
}
