import type { INodeParameters } from 'n8n-workflow';
import type { RobotFields } from '../sandbox/control.mts';
import { emptyData } from '../sandbox/index.mts';
import { CUSTOMER } from '../sandbox/site/site.mts';
import { INVOICE_PROMPT, PDF } from './files.mts';
import type { Account, TestSandbox } from './sandbox.mts';

/** Steps on the demo shop's login page. */
export const LOGIN_STEPS: INodeParameters[] = [
	{ action: 'type', selector: '#email', text: CUSTOMER.email },
	{ action: 'type', selector: '#password', text: CUSTOMER.password },
	{ action: 'click', selector: 'button[type=submit]' },
];

let made = 0;
export const unique = (name: string) => `${name} ${++made}`;

/** Creates a robot as the dashboard does. By default, it reads a page of the demo shop. @returns its ID */
export async function newRobot(
	{ control, siteUrl }: TestSandbox,
	{ teamId, ...fields }: Partial<RobotFields> = {},
): Promise<string> {
	return await control.robot({
		type: 'scrape',
		name: unique('Robot'),
		url: `${siteUrl}/products`,
		formats: ['markdown'],
		...(teamId && { teamId }),
		...fields,
	});
}

export async function newRun(sandbox: TestSandbox, { teamId }: Account) {
	const robotId = await newRobot(sandbox, { teamId });
	const [runId = ''] = await sandbox.control.runs({ robotId });
	return { robotId, runId };
}

/** A robot with a webhook at a URL where nothing listens. */
export async function newWebhook(sandbox: TestSandbox, { teamId }: Account) {
	const robotId = await newRobot(sandbox, { teamId });
	const url = 'http://127.0.0.1:9/receiver';
	const { data } = await sandbox.client({ teamId }).post(`/robots/${robotId}/webhooks`, { url });
	return { robotId, webhookId: String(data.id), url };
}

/** A run that stays active until the test ends it. */
export async function newActiveRun(sandbox: TestSandbox, { teamId }: Account) {
	const robotId = await newRobot(sandbox, { teamId });
	await sandbox.control.settings({ slots: 0 });
	return { robotId, runId: await sandbox.client({ teamId }).start(robotId) };
}

/** A recorded robot or an agent with rows and single fields. */
export async function newRecorded(
	sandbox: TestSandbox,
	{ teamId }: Account,
	type: 'extract' | 'agent' = 'extract',
): Promise<string> {
	return await newRobot(sandbox, {
		type,
		teamId,
		formats: [],
		...(type === 'agent' && { prompt: 'Get name and price of the products' }),
		list: { name: 'Products', row: 'li.product', fields: { Product: '.name', Price: '.price' } },
	});
}

export async function newDocumentRobot(sandbox: TestSandbox, { teamId }: Account): Promise<string> {
	const form = new FormData();
	form.append('file', new File([new Uint8Array(PDF.content)], PDF.fileName));
	form.append('prompt', INVOICE_PROMPT);
	form.append('name', unique('Document'));
	const { data } = await sandbox.client({ teamId }).post('/robots/document-extract', form);
	return String(data.id);
}

export async function newScheduled(sandbox: TestSandbox, { teamId }: Account): Promise<string> {
	const robotId = await newRobot(sandbox, { teamId });
	const monthly = { runEvery: 1, runEveryUnit: 'MONTHS', timezone: 'UTC' };
	await sandbox.client({ teamId }).put(`/robots/${robotId}/schedule`, monthly);
	return robotId;
}

/** Two runs of a robot. The second differs in one line in each of two formats. */
export async function newChangedRun(sandbox: TestSandbox, { teamId }: Account) {
	const robotId = await newRobot(sandbox, { teamId });
	const inserted = async (price: string, more = {}) => {
		const content = `Desk\n${price}\nIn stock\n`;
		const data = { ...emptyData(), markdown: content, text: content };
		const [id = ''] = await sandbox.control.runs({ robotId, run: { data, ...more } });
		return id;
	};
	const previousRunId = await inserted('249');
	const runId = await inserted('199', {
		previousRunId,
		hasChanges: true,
		changedFormats: ['text', 'markdown'],
	});
	return { robotId, previousRunId, runId };
}

/** A recorded robot that captures a product's name from the product's page. */
export const newProductRobot = async (
	sandbox: TestSandbox,
	fields: Record<string, string> = { Name: 'h1' },
): Promise<string> =>
	await newRobot(sandbox, {
		type: 'extract',
		formats: [],
		url: productUrl(sandbox, 1),
		fields,
	});

export const productUrl = ({ siteUrl }: TestSandbox, id: number) => `${siteUrl}/products/${id}`;

export async function robotsLeft({ owner }: TestSandbox): Promise<string[]> {
	const { list } = await owner.get('/robots?q=n8n&limit=100');
	return list.map(({ id }) => String(id));
}

/** Ends all runs, and deletes the nodes' robots, whatever faults a test has set. */
export async function removeTemporary(sandbox: TestSandbox): Promise<void> {
	const { control, owner } = sandbox;
	await control.clearFaults();
	await control.abortRuns(await owner.activeRuns());
	for (const id of await robotsLeft(sandbox)) await owner.delete(`/robots/${id}`);
}
