import { emptyData } from '../../sandbox/index.mts';
import { INVOICE_PROMPT, PDF } from './files.mts';
import type { Scope } from './operations.mts';
import type { World } from './sandbox.mts';

let made = 0;
/** A name that no other robot of the file has. */
export const unique = (name: string) => `${name} ${++made}`;

/** A scrape robot in the given scope; returns its id. */
export async function newRobot({ control, sandbox }: World, { teamId }: Scope): Promise<string> {
	return await control.robot({
		type: 'scrape',
		name: unique('Robot'),
		url: `${sandbox.siteUrl}/products`,
		formats: ['markdown'],
		...(teamId !== '' && { teamId }),
	});
}

/** A robot with a finished run. */
export async function newRun(
	given: World,
	scope: Scope,
): Promise<{ robotId: string; runId: string }> {
	const robotId = await newRobot(given, scope);
	const [runId = ''] = await given.control.runs({ robotId });
	return { robotId, runId };
}

/** A robot with a webhook at whose address nothing listens. */
export async function newWebhook(given: World, { teamId }: Scope) {
	const robotId = await newRobot(given, { teamId });
	const url = 'http://127.0.0.1:9/receiver';
	const { body } = await given.ask(`/robots/${robotId}/webhooks`, {
		method: 'POST',
		teamId,
		body: { url },
	});
	return { robotId, webhookId: String(body.data.id), url };
}

/** A run that goes on until somebody ends it. */
export async function newActiveRun(given: World, { teamId }: Scope) {
	const robotId = await newRobot(given, { teamId });
	await given.control.settings({ slots: 0 });
	const { body } = await given.ask(`/robots/${robotId}/runs`, { method: 'POST', teamId });
	return { robotId, runId: String(body.id) };
}

/** A robot of rows and single fields, as one that was recorded, or an agent. */
export async function newRecorded(
	{ control, sandbox }: World,
	{ teamId }: Scope,
	type: 'extract' | 'agent' = 'extract',
): Promise<string> {
	return await control.robot({
		type,
		name: unique(type),
		url: `${sandbox.siteUrl}/products`,
		...(type === 'agent' && { prompt: 'Get name and price of the products' }),
		list: { name: 'Products', row: 'li.product', fields: { Product: '.name', Price: '.price' } },
		...(teamId !== '' && { teamId }),
	});
}

/** A document robot, made from a file. */
export async function newDocumentRobot(given: World, { teamId }: Scope): Promise<string> {
	const form = new FormData();
	form.append('file', new File([new Uint8Array(PDF.content)], PDF.fileName));
	form.append('prompt', INVOICE_PROMPT);
	form.append('name', unique('Document'));
	const { body } = await given.ask('/robots/document-extract', {
		method: 'POST',
		teamId,
		body: form,
	});
	return String(body.data.id);
}

/** A robot that runs by schedule. */
export async function newScheduled(given: World, scope: Scope): Promise<string> {
	const robotId = await newRobot(given, scope);
	await given.ask(`/robots/${robotId}/schedule`, {
		method: 'PUT',
		teamId: scope.teamId,
		body: { runEvery: 1, runEveryUnit: 'MONTHS', timezone: 'UTC' },
	});
	return robotId;
}

/** Two runs of a robot, the second of which differs from the first in one line of each of two formats. */
export async function newChangedRun(given: World, scope: Scope) {
	const robotId = await newRobot(given, scope);
	const inserted = async (price: string, more = {}) => {
		const content = `Desk\n${price}\nIn stock\n`;
		const data = { ...emptyData(), markdown: content, text: content };
		const [id = ''] = await given.control.runs({ robotId, run: { data, ...more } });
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
