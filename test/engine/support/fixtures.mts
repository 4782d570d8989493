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
