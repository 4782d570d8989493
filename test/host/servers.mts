import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { freePort } from './ports.mts';
import { until } from '../helpers/until.mts';

const READY_MS = 30_000;
const POSTGRES_VERSIONS = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root. Debian's package creates this account. */
const POSTGRES_ACCOUNT = 'postgres';
export const DATABASE = { user: 'n8n', name: 'postgres' };

export async function startRedis() {
	const port = await freePort();
	const program = await find('redis-server', 'redis-server');
	const folder = await newFolder();
	const memoryOnly = ['--save', '', '--appendonly', 'no', '--bind', '127.0.0.1', '--dir', folder];
	const client = await find('redis-cli', 'redis-server');
	return await start({
		command: [program, '--port', String(port), ...memoryOnly],
		check: [client, '-p', String(port), 'ping'],
		port,
		folder,
	});
}

export async function startPostgres() {
	const port = await freePort();
	const program = async (name: string) => await find(name, 'postgresql', await postgresFolders());
	const account = await postgresAccount();
	const folder = await newFolder();
	if (account) await chown(folder, account.uid, account.gid);
	const data = join(folder, 'data');
	const kind = ['--username', DATABASE.user, '--auth', 'trust', '--encoding', 'UTF8', '--no-sync'];
	await execa(await program('initdb'), ['--pgdata', data, ...kind], { ...account, cwd: folder });
	const settings = ['listen_addresses=127.0.0.1', 'max_connections=200', 'fsync=off'];
	const flags = settings.flatMap((setting) => ['-c', setting]);
	return await start({
		command: [await program('postgres'), '-D', data, '-p', String(port), '-k', folder, ...flags],
		check: [await program('pg_isready'), '-h', '127.0.0.1', '-p', String(port)],
		port,
		folder,
		account,
	});
}

interface Account {
	uid: number;
	gid: number;
}

interface Launch {
	command: [string, ...string[]];
	check: [string, ...string[]];
	port: number;
	folder: string;
	account?: Account;
}

async function start({ command, check, port, folder, account }: Launch) {
	const [program, ...args] = command;
	// SIGINT makes PostgreSQL close all connections. execa always stops the server with this process.
	const server = execa(program, args, {
		...account,
		cwd: folder,
		stdin: 'ignore',
		stdout: 'ignore',
		killSignal: 'SIGINT',
		forceKillAfterDelay: 10_000,
		reject: false,
	});
	let over = false;
	const end = server.then(({ stderr }) => {
		over = true;
		return stderr;
	});
	const stop = async () => {
		server.kill();
		await end;
		await rm(folder, { recursive: true, force: true });
	};
	const [checker, ...question] = check;
	await until(`${program} to be ready`, READY_MS, async () => {
		if (over) throw new Error(`${program} ended:\n${await end}`);
		return (await execa(checker, question, { reject: false })).failed ? undefined : true;
	}).catch(async (error: unknown) => {
		await stop();
		throw error;
	});
	return { port, stop };
}

const newFolder = async () => await mkdtemp(join(tmpdir(), 'n8n-nodes-maxun-robots-'));

async function postgresAccount(): Promise<Account | undefined> {
	if (process.getuid?.() !== 0) return undefined;
	const id = async (flag: string) => Number((await execa('id', [flag, POSTGRES_ACCOUNT])).stdout);
	return { uid: await id('-u'), gid: await id('-g') };
}

async function postgresFolders(): Promise<string[]> {
	if (!existsSync(POSTGRES_VERSIONS)) return [];
	const versions = (await readdir(POSTGRES_VERSIONS)).sort((a, b) => Number(b) - Number(a));
	return versions.map((version) => join(POSTGRES_VERSIONS, version, 'bin'));
}

async function find(name: string, origin: string, folders: string[] = []): Promise<string> {
	const places = [...folders, ...(process.env.PATH ?? '').split(delimiter)];
	const found = places.map((folder) => join(folder, name)).find((path) => existsSync(path));
	if (found === undefined) throw new Error(`${name} is missing: install ${origin}`);
	return found;
}
