import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { z } from 'zod';
import { Client, fieldsOf } from '../helpers/client.mts';
import { until } from '../helpers/until.mts';
import { SERVER_CREDENTIAL_NAME } from './demo.mts';
import type { N8nRest } from './rest.mts';

/** Parts of a server, by their names in Maxun's Docker Compose file. */
export type Part = 'postgres' | 'browser' | 'minio';

const Settings = z.object({
	MAXUN_URL: z.string().url(),
	MAXUN_KEY: z.string().min(1),
	/** The name by which the server reaches this computer. */
	MAXUN_SEES_US_AS: z.string().optional(),
	/** A command that starts and stops parts of the server, such as `docker compose`. */
	MAXUN_CONTROL: z.string().optional(),
	/** How many pages to scrape in one execution. */
	MAXUN_SCRAPES: z.coerce.number().int().positive().default(6),
});

const Run = z.object({ runId: z.string(), status: z.string() }).passthrough();
const Robot = z.object({
	recording_meta: z.object({ id: z.string(), name: z.string(), url: z.string().optional() }),
	webhooks: z.array(z.object({ url: z.string(), active: z.boolean() })).nullish(),
});
/** A run may hang if it starts while the previous run's browser is closing. In milliseconds. */
const BREAK = 5_000;

/** A real self-hosted server, used directly. All robots of the suite have its prefix. */
export class RealServer {
	readonly settings = Settings.parse(process.env);
	readonly url = this.settings.MAXUN_URL.replace(/\/(api)?\/?$/, '');
	private readonly client = new Client(`${this.url}/api`, {
		'x-api-key': this.settings.MAXUN_KEY,
		// A busy server may close a connection just when a request reuses it.
		connection: 'close',
	});
	private readonly prefix = `n8n suite ${randomBytes(3).toString('hex')}`;
	private made = 0;

	/** Makes n8n use this server instead of the sandbox. */
	async replaceSandbox(rest: N8nRest): Promise<void> {
		const found = (await rest.credentials()).find(({ name }) => name === SERVER_CREDENTIAL_NAME);
		const data = { apiKey: this.settings.MAXUN_KEY, baseUrl: this.url, timezone: '' };
		const credential = { name: SERVER_CREDENTIAL_NAME, type: 'maxunSelfHostedApi', data };
		await rest.updateCredential(found?.id ?? '', credential);
	}

	private name(): string {
		return `${this.prefix} ${++this.made}`;
	}

	/** Creates a scrape robot. @returns its ID */
	async robot(url: string): Promise<string> {
		const meta = { name: this.name(), type: 'scrape', url, formats: ['markdown'] };
		const { data } = await this.call('POST', '/sdk/robots', { meta, workflow: [] });
		return Robot.parse(data).recording_meta.id;
	}

	/** Creates a crawl robot for a page and the first page that it links to. @returns its ID */
	async crawlRobot(url: string): Promise<string> {
		const { data } = await this.call('POST', '/sdk/crawl', {
			name: this.name(),
			url,
			formats: ['markdown'],
			crawlConfig: {
				mode: 'domain',
				limit: 2,
				maxDepth: 1,
				followLinks: true,
				useSitemap: false,
				respectRobots: false,
			},
		});
		return Robot.parse(data).recording_meta.id;
	}

	/** Runs a robot as another client does. @returns the run's ID */
	async run(robotId: string): Promise<string> {
		await sleep(BREAK);
		const { run } = await this.call('POST', `/robots/${robotId}/runs`);
		return Run.parse(run).runId;
	}

	async runs(robotId: string): Promise<Array<z.output<typeof Run>>> {
		const { data } = await this.call('GET', `/sdk/robots/${robotId}/runs`);
		return z.array(Run).parse(data);
	}

	async webhooks(robotId: string): Promise<string[]> {
		const { data } = await this.call('GET', `/sdk/robots/${robotId}`);
		return (Robot.parse(data).webhooks ?? []).flatMap(({ url, active }) => (active ? [url] : []));
	}

	/** The nodes' temporary robots for a site's pages. */
	async temporaryRobots(site: string): Promise<Array<{ id: string; url?: string }>> {
		return (await this.robots()).filter(
			({ name, url }) => /^n8n [a-z]+ until \S+ \w+$/.test(name) && url?.startsWith(site),
		);
	}

	async delete(robotId: string): Promise<void> {
		await this.call('DELETE', `/sdk/robots/${robotId}`);
	}

	async control(command: 'start' | 'stop', part: Part): Promise<void> {
		const [file = '', ...words] = (this.settings.MAXUN_CONTROL ?? '').split(' ');
		await execa(file, [...words, command, part], { stdio: ['ignore', 'ignore', 'inherit'] });
	}

	/** Stops a part of the server during some work, and then waits until the server responds again. */
	async without<T>(part: Part, work: () => Promise<T>): Promise<T> {
		await this.control('stop', part);
		try {
			return await work();
		} finally {
			await this.control('start', part);
			await until('the server', 60_000, async () => await this.robots().catch(() => undefined));
		}
	}

	async cleanUp(): Promise<void> {
		for (const { id, name } of await this.robots()) {
			if (name.startsWith(this.prefix)) await this.delete(id);
		}
	}

	private async robots() {
		const { data } = await this.call('GET', '/sdk/robots');
		return z
			.array(Robot)
			.parse(data)
			.map((robot) => robot.recording_meta);
	}

	/** @throws Error unless the server accepts the request */
	private async call(
		method: string,
		path: string,
		body?: object,
	): Promise<Record<string, unknown>> {
		const { status, text, json } = await this.client.send(method, path, body);
		if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
		return fieldsOf(json);
	}
}
