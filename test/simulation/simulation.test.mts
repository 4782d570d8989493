import { execa } from 'execa';
import { expect, it } from 'vitest';

it('no history breaks a rule', async () => {
	const { all, exitCode } = await execa(
		'npm',
		['run', '--silent', 'test:simulation', '--', '--histories', '1000'],
		{ all: true, reject: false },
	);
	expect(exitCode, all).toBe(0);
});
