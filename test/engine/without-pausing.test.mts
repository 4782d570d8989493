import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import { usePausing } from './support/pausing.mts';

const paused = usePausing();
const { sandbox } = paused;

/** Whether a node can request its own execution from this engine. Pausing needs this. */
const hasRequests = existsSync(
	join(
		dirname(fileURLToPath(import.meta.resolve('n8n-core'))),
		'execution-engine',
		'requests-response.js',
	),
);

it('an execution pauses if the engine supports requests, and otherwise polls with a hint', async () => {
	await sandbox.control.settings({ runSeconds: 4 });
	await paused.startHost();
	const execution = paused.host.start([{ robotId: await newRobot(sandbox) }]);
	const { status } = await paused.host.reaches(execution, ['success', 'error', 'waiting']);
	expect(status).toBe(hasRequests ? 'waiting' : 'success');
	const hint = expect.stringMatching(/this version of n8n cannot resume the node/);
	expect(paused.host.hints(execution)).toEqual(hasRequests ? [] : [hint]);
});
