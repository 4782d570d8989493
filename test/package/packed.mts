import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { PROJECT } from '../host/files.mts';
import { npm } from '../host/npm.mts';

const Entry = z.object({
	filename: z.string(),
	/** The size of the tarball and its content, in bytes. */
	size: z.number(),
	unpackedSize: z.number(),
	files: z.array(z.object({ path: z.string(), size: z.number() })),
});
const Report = z.array(Entry).length(1);

/** The unpacked package, as for publishing. */
export interface Unpacked extends z.infer<typeof Entry> {
	folder: string;
	remove(): Promise<void>;
}

/** Packs the project like npm, and unpacks it into its own folder. */
export async function unpackProject(): Promise<Unpacked> {
	const root = await mkdtemp(join(tmpdir(), 'n8n-nodes-maxun-robots-package-'));
	const flags = ['--json', '--ignore-scripts', '--pack-destination', root];
	const [report] = Report.parse(JSON.parse(await npm(['pack', ...flags], { cwd: PROJECT })));
	if (report === undefined) throw new Error('npm pack wrote no package');
	await execa('tar', ['-xzf', report.filename], { cwd: root });
	const remove = async () => await rm(root, { recursive: true, force: true });
	return { ...report, folder: join(root, 'package'), remove };
}
