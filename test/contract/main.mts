import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { PROJECT } from '../host/files.mts';
import { startSandbox } from '../sandbox/index.mts';
import { cases } from './cases.mts';
import { type Result, runCases, tableOf } from './contract.mts';
import { Subject } from './subject.mts';

const USAGE = `Tries every operation of the nodes on a self-hosted Maxun server, and cleans up.

  npm run test:maxun -- --url http://localhost:8080 --key API_KEY [options]

  --site URL    Where your server finds this machine's demo shop, for example
                http://host.docker.internal:8790/site. Default: http://127.0.0.1:<port>/site
  --port PORT   Port of the demo shop. Default: 8790
  --only TEXT   Only operations whose name contains the text, for example "web:"
  --tries N     How often to run everything. Default: 1
  --n8n         Tries triggers, waiting and web operations in a real n8n instance instead. Takes 25 minutes
  --scrapes N   With --n8n: number of pages in one execution. Default: 6
  --control COMMAND
                With --n8n: a command that starts and stops parts of the server, for tests of
                their outages, for example "docker compose --project-directory ../maxun"`;

const { values } = parseArgs({
	options: {
		url: { type: 'string' },
		key: { type: 'string' },
		site: { type: 'string' },
		port: { type: 'string', default: '8790' },
		only: { type: 'string', default: '' },
		tries: { type: 'string', default: '1' },
		n8n: { type: 'boolean', default: false },
		scrapes: { type: 'string' },
		control: { type: 'string' },
	},
});

const { url, key, only } = values;
if (url === undefined || key === undefined) {
	console.error(USAGE);
	process.exit(2);
}

if (values.n8n) {
	const env = {
		MAXUN_URL: url,
		MAXUN_KEY: key,
		MAXUN_SEES_US_AS: values.site && new URL(values.site).hostname,
		MAXUN_SCRAPES: values.scrapes,
		MAXUN_CONTROL: values.control,
	};
	const suite = ['test/host/run.mts', 'real-server', ...(only ? [`--only=${only}`] : [])];
	const run = { cwd: PROJECT, preferLocal: true, stdio: 'inherit', reject: false, env } as const;
	const { exitCode } = await execa('tsx', suite, run);
	process.exit(exitCode);
}

const port = Number(values.port);
const shop = await startSandbox({
	port,
	host: values.site === undefined ? '127.0.0.1' : '0.0.0.0',
});
const site = values.site?.replace(/\/$/, '') ?? shop.siteUrl;
const chosen = cases.filter(({ resource, operation }) =>
	`${resource}: ${operation}`.includes(only),
);

let succeeded = true;
for (let round = 1; round <= Number(values.tries); round++) {
	const on = new Subject({ url: url.replace(/\/(api)?\/?$/, ''), key, site });
	const before = await on.count();
	const results = await runCases(on, chosen, ({ operation, outcome }) =>
		console.log(`${outcome === 'failed' ? '✗' : '✓'} ${operation}`),
	).finally(async () => await on.cleanUp());
	const left = (await on.count()) - before;
	console.log(`\n${tableOf(results)}\n\n${summary(results)}, ${left} robots left`);
	succeeded &&= left === 0 && results.every(({ outcome }) => outcome !== 'failed');
}
await shop.close();
process.exitCode = succeeded ? 0 : 1;

function summary(results: Result[]): string {
	const count = (outcome: Result['outcome']) =>
		results.filter((result) => result.outcome === outcome).length;
	return `${count('works')} operations work, ${count('refused')} are refused, ${count('failed')} fail`;
}
