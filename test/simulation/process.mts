import { build } from 'esbuild';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import type { INodeType } from 'n8n-workflow';
import type { Owner } from './clock.mts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What n8n provides to the nodes. All other modules are part of the bundle. */
const PROVIDED = ['n8n-workflow', 'zod', 'luxon', 'lodash', 'p-limit'];

type NodeName = 'Maxun' | 'MaxunTrigger' | 'MaxunPollingTrigger';
type Nodes = Record<NodeName, new () => INodeType>;

const require = createRequire(import.meta.url);
const provided = new Map<string, unknown>(PROVIDED.map((name) => [name, require(name)]));

/** The code of the nodes, which each process evaluates for itself. */
export class NodeCode {
	private constructor(private readonly script: Script) {}

	/** Bundles the nodes. @param folder of the package; by default this one */
	static async load(folder = ROOT): Promise<NodeCode> {
		const names: NodeName[] = ['Maxun', 'MaxunTrigger', 'MaxunPollingTrigger'];
		const nodes = resolve(folder, 'nodes/Maxun');
		const { outputFiles } = await build({
			stdin: {
				contents: names.map((name) => `export * from './${name}.node'`).join('\n'),
				resolveDir: nodes,
			},
			bundle: true,
			write: false,
			platform: 'node',
			format: 'cjs',
			target: 'node20',
			external: PROVIDED,
		});
		const [bundle] = outputFiles;
		const code = `(function (module, exports, require) {${bundle?.text}\n})`;
		return new NodeCode(new Script(code, { filename: join(nodes, 'bundle.cjs') }));
	}

	/** A new copy of the nodes, with its own module-level state. */
	evaluate(): Nodes {
		const module: { exports: Partial<Nodes> } = { exports: {} };
		const load = (name: string) => provided.get(name) ?? require(name);
		this.script.runInThisContext()(module, module.exports, load);
		const { Maxun, MaxunTrigger, MaxunPollingTrigger } = module.exports;
		if (Maxun && MaxunTrigger && MaxunPollingTrigger) {
			return { Maxun, MaxunTrigger, MaxunPollingTrigger };
		}
		throw new Error('The bundle lacks a node');
	}
}

/**
 * A process of n8n with its own copy of the nodes. After a kill, its timers don't fire and its requests get no response,
 * so its code ends at the `await` that it has reached.
 */
export class N8nProcess implements Owner {
	alive = true;
	private code?: Nodes;
	private readonly created = new Map<NodeName, INodeType>();

	constructor(
		readonly name: string,
		private readonly source: NodeCode,
	) {}

	/** The node type with this process's state. */
	node(name: NodeName): INodeType {
		this.code ??= this.source.evaluate();
		const node = this.created.get(name) ?? new this.code[name]();
		this.created.set(name, node);
		return node;
	}

	kill(): void {
		this.alive = false;
	}
}
