import { sleep } from 'n8n-workflow';
import { SECOND } from '../http/time';
import { isObject } from '../http/values';
import { changeHooks, memoryOf, type TriggerMemory } from './memory';
import { Registration } from './registration';
import { findNamed, withIds } from './robots';
import type { TriggerSettings } from './settings';
import type { TriggerNode } from './triggerNode';

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
	let answer = await send(trigger, url);
	if (answer === undefined) {
		await askMaxun(trigger, memory, settings, url).catch(() => undefined);
	} else if (!isShown(answer))
		trigger.info('No run has ended yet. The test waits for the next one');
	// After two minutes, n8n ends the test and no longer knows the URL.
	while (answer !== undefined && !isShown(answer)) {
		await sleep(TEST_INTERVAL);
		answer = await send(trigger, url);
	}
}

const isShown = (answer: unknown): boolean => isObject(answer) && answer.started === true;

/** Sends a sample event. @returns the response; undefined if n8n can't reach the URL */
const send = async (trigger: TriggerNode, url: string): Promise<unknown> =>
	await trigger.post(url, { event_type: 'webhook_test' }).catch(() => undefined);

/** Makes Maxun send the sample event, unless the test has ended. Some n8n instances can't reach their own public URL. */
async function askMaxun(
	trigger: TriggerNode,
	memory: TriggerMemory,
	given: TriggerSettings,
	url: string,
): Promise<void> {
	const maxun = await trigger.connect({ teamId: given.teamId });
	const settings = withIds(given, await findNamed(trigger, given, maxun, {}));
	const [robotId] = settings.robotIds;
	if (robotId === undefined || maxun.unreachable(url)) return;
	const registration = new Registration(trigger, maxun, url);
	const isAdded = await changeHooks(trigger, async () => {
		// The end of the test removes the webhook, and forgets the test.
		if (memoryOf(trigger) !== memory) return false;
		memory.testedRobot = robotId;
		await registration.add([robotId], settings.events, Infinity);
		return true;
	});
	if (isAdded) await registration.isReached(robotId);
}
