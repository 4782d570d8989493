import { join } from 'node:path';
import { loadOutputSchema } from 'n8n-core';
import { expect, it } from 'vitest';
import { CASES } from './cases/index.mts';

const nodeDir = join(import.meta.dirname, '../../dist/nodes/Maxun');

it.each(CASES)('n8n finds the schema of $resource: $operation', ({ resource, operation }) => {
	const schema = loadOutputSchema({ nodeDir, version: 1, resource, operation });
	expect(schema).toMatchObject({ type: 'object', version: 1 });
});
