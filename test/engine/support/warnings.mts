import { createRequire } from 'node:module';
import { onTestFinished, vi } from 'vitest';

// The instances that n8n-core uses.
const ofCore = createRequire(import.meta.resolve('n8n-core'));
const { Container }: typeof import('@n8n/di') = ofCore('@n8n/di');
const logger: { warn(message: string): void } = Container.get(ofCore('@n8n/backend-common').Logger);

/** Warnings that the nodes write to n8n's log from now to the end of the test. */
export function warnings(): string[] {
	const messages: string[] = [];
	const spy = vi.spyOn(logger, 'warn').mockImplementation((message) => void messages.push(message));
	onTestFinished(() => spy.mockRestore());
	return messages;
}
