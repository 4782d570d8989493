import { vi } from 'vitest';
import { logger } from '../../helpers/engine/container.mts';

/** Warnings that the nodes write to n8n's log from now to the end of the test. */
export function warnings(): string[] {
	const messages: string[] = [];
	vi.spyOn(logger, 'warn').mockImplementation((message) => void messages.push(message));
	return messages;
}
