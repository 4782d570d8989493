import { locator } from '../../helpers/parameters.mts';
import { expectFields, expectThat } from '../check.mts';
import { contractCase, type Case } from '../contract.mts';
import { idOf, type Subject } from '../subject.mts';

const resource = 'webhook';
const URL = 'https://receiver.example.com/contract';

export const webhookCases: Case[] = [
	contractCase(resource, 'create', async (on) => {
		const { robotId, webhook } = await created(on);
		expectFields(webhook, { url: URL, events: ['run_failed'], retryAttempts: 5 });
		await on.run(resource, 'delete', { robotId, webhookId: locator(idOf(webhook)) });
	}),
	contractCase(resource, 'getAll', async (on) => {
		const { robotId, webhook } = await created(on);
		const [listed, ...others] = await on.run(resource, 'getAll', { robotId });
		expectThat(others.length === 0, 'there are other webhooks');
		expectFields(listed ?? {}, { id: idOf(webhook), url: URL });
		await on.run(resource, 'delete', { robotId, webhookId: locator(idOf(webhook)) });
	}),
	contractCase(resource, 'update', async (on) => {
		const { robotId, webhook } = await created(on);
		const webhookId = locator(idOf(webhook));
		const updateFields = { active: false, timeout: 7 };
		await on.run(resource, 'update', { robotId, webhookId, updateFields });
		const [listed] = await on.run(resource, 'getAll', { robotId });
		expectFields(listed ?? {}, { ...updateFields, url: URL });
		await on.run(resource, 'delete', { robotId, webhookId });
	}),
	contractCase(resource, 'delete', async (on) => {
		const { robotId, webhook } = await created(on);
		await on.run(resource, 'delete', { robotId, webhookId: locator(idOf(webhook)) });
		const left = await on.run(resource, 'getAll', { robotId });
		expectThat(left.length === 0, 'the webhook is still there');
	}),
];

async function created(on: Subject) {
	const robotId = locator(await on.scrapeRobot());
	const additionalFields = { events: ['run_failed'], retryAttempts: 5 };
	const webhook = await on.one(resource, 'create', { robotId, url: URL, additionalFields });
	return { robotId, webhook };
}
