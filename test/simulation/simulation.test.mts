import { execa } from 'execa';
import { expect, it } from 'vitest';

// The same histories each time, so that a failure comes from a change. A busy machine plays only as many as it can in the
// time. CI plays more, and the nightly job plays others.
it.each([
	['waiting', '25', '662142570'],
	['events', '8', '662142570'],
	['changes', '2', '7002'],
])('no history of %s breaks a rule', async (simulation, histories, first) => {
	const options = ['--first', first, '--histories', histories, '--minutes', '4'];
	const { all, exitCode } = await execa(
		'npm',
		['run', '--silent', 'test:simulation', '--', simulation, ...options],
		{ all: true, reject: false, env: { LONGEST_TURN: '500' } },
	);
	expect(exitCode, all).toBe(0);
});
