import { sleep } from 'n8n-workflow';
import { SECOND } from '../http/time';
import { isObject } from '../http/values';
import type { TriggerNode } from './triggerNode';

/** The interval at which a test in the editor polls for a run, in milliseconds. */
const TEST_INTERVAL = 5 * SECOND;

/**
 * Sends sample events to the URL of a test in the editor, until an event shows a run or the test ends. `webhook`
 * responds with the latest run that would have started the workflow.
 */
export async function showLatestRun(trigger: TriggerNode, url: string): Promise<void> {
	await sleep(SECOND); // Until the editor is ready.
	let answer = await trigger.sendSample(url);
	if (answer === undefined) {
		trigger.warn(`n8n got no response from its own URL ${url}, so the test can't show a run`);
	} else if (!isShown(answer))
		trigger.info('No run has ended yet. The test waits for the next one');
	// After two minutes, n8n ends the test and no longer knows the URL.
	while (answer !== undefined && !isShown(answer)) {
		await sleep(TEST_INTERVAL);
		answer = await trigger.sendSample(url);
	}
}

const isShown = (answer: unknown): boolean => isObject(answer) && answer.started === true;
