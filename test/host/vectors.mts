import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { z } from 'zod';
import { freePort } from './ports.mts';

export async function startVectorDatabase() {
	const db = await PGlite.create({ extensions: { vector } });
	const port = await freePort();
	const server = new PGLiteSocketServer({ db, port, host: '127.0.0.1', maxConnections: 20 });
	await server.start();
	const account = { database: 'postgres', user: 'postgres', password: 'postgres' };
	return {
		credential: { host: '127.0.0.1', port, ...account, ssl: 'disable' },
		query: async <T,>(row: z.ZodType<T>, sql: string) =>
			z.array(row).parse((await db.query(sql)).rows),
		close: async () => {
			await server.stop();
			await db.close();
		},
	};
}
