import type { INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import type { WaitingOptions } from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { usePausing } from './support/pausing.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();
const paused = usePausing(sandbox);
const { startHost } = paused;

describe('no pause', () => {
	beforeEach(async () => await sandbox.control.settings({ runSeconds: 3 }));

	const staysRunning = async (parameters: INodeParameters, options: Partial<WaitingOptions>) => {
		await startHost(parameters, options);
		const robotId = await newRobot(sandbox);
		const execution = paused.host.start([{ robotId }]);
		const ended = await paused.host.reaches(execution, ['success', 'error', 'waiting']);
		expect(ended.status).toBe('success');
		expect(ended.lives).toBe(1);
		expect((await sandbox.lines()).filter((line) => line.includes('webhooks'))).toEqual([]);
		return paused.host.hints(execution);
	};

	it('an execution in the legacy order keeps running', async () => {
		const hints = await staysRunning({}, { settings: { executionOrder: 'v0' } });
		expect(hints).toEqual([expect.stringMatching(/legacy execution order/)]);
	});

	it('an execution with pausing switched off keeps running', async () => {
		const hints = await staysRunning({ options: { pauseAfter: 0 } }, {});
		expect(hints).toEqual([]);
	});

	it('an execution with too little time left keeps running', async () => {
		expect(await staysRunning({ options: { pauseAfter: 1, waitFor: 1 } }, {})).toEqual([]);
	});
});
