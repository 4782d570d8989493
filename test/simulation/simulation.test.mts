import { execa } from 'execa';
import { expect, it } from 'vitest';

// The same histories each time, so that a failure comes from a change. The nightly job plays others.
it('no history breaks a rule', async () => {
	const { all, exitCode } = await execa(
		'npm',
		['run', '--silent', 'test:simulation', '--', '--first', '662142570', '--histories', '1000'],
		{ all: true, reject: false },
	);
	expect(exitCode, all).toBe(0);
});
