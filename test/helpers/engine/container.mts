import { createRequire } from 'node:module';
import type { BinaryDataService } from 'n8n-core';

// The instances that n8n-core uses.
const ofCore = createRequire(import.meta.resolve('n8n-core'));

export const { Container }: typeof import('@n8n/di') = ofCore('@n8n/di');

type Logger = ConstructorParameters<typeof BinaryDataService>[2];

/** n8n's log. */
export const logger: Logger = Container.get(ofCore('@n8n/backend-common').Logger);
