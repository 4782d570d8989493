import { sleep } from 'n8n-workflow';
import { SECOND } from '../http/time';
import { isObject } from '../http/values';
import { memoryOf, type TriggerMemory } from './memory';
import { checkRobots, withIds } from './robots';
import type { TriggerSettings } from './settings';
import type { TriggerNode } from './triggerNode';
import { changeWebhooks, Webhooks } from './webhooks';

/** The interval at which a test in the editor polls for a run, in milliseconds. */
const TEST_INTERVAL = 5 * SECOND;

/**
 * Sends sample events to the URL of a test in the editor, until an event shows a run or the test ends. `webhook`
 * responds with the latest run that would have started the workflow.
 */
export async function showLatestRun(
	trigger: TriggerNode,
	settings: TriggerSettings,
	url: string,
): Promise<void> {
	const memory = memoryOf(trigger);
	await sleep(SECOND); // Until the editor is ready.
	let answer = await trigger.sendSample(url);
	if (answer === undefined) {
		await askMaxun(trigger, memory, settings, url).catch(() => undefined);
	} else if (!isShown(answer))
		trigger.info('No run has ended yet. The test waits for the next one');
	// After two minutes, n8n ends the test and no longer knows the URL.
	while (answer !== undefined && !isShown(answer)) {
		await sleep(TEST_INTERVAL);
		answer = await trigger.sendSample(url);
	}
}

const isShown = (answer: unknown): boolean => isObject(answer) && answer.started === true;

/** Makes Maxun send the sample event, unless the test has ended. Some n8n instances can't reach their own public URL. */
async function askMaxun(
	trigger: TriggerNode,
	memory: TriggerMemory,
	given: TriggerSettings,
	url: string,
): Promise<void> {
	const maxun = await trigger.connect({ teamId: given.teamId });
	await checkRobots(trigger, given, maxun);
	const settings = withIds(given, trigger.record());
	const [robotId] = settings.robotIds;
	if (robotId === undefined || maxun.unreachable(url)) return;
	const webhooks = new Webhooks(trigger, maxun, url);
	const isAdded = await changeWebhooks(trigger, async () => {
		// The end of the test removes the webhook, and forgets the test.
		if (memoryOf(trigger) !== memory) return false;
		memory.testedRobot = robotId;
		await webhooks.add([robotId], settings.events, Infinity);
		return true;
	});
	if (isAdded) await webhooks.isReached(robotId);
}
