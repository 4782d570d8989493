import { build, type Plugin } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import type { INodeType } from 'n8n-workflow';
import { currentOwner, type Owner } from './clock.mts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Modules that n8n provides to the nodes. All other modules are part of the bundle. */
const PROVIDED = ['n8n-workflow', 'zod', 'luxon', 'lodash', 'p-limit'];

type NodeName = 'Maxun' | 'MaxunTrigger';
type Classes = Partial<Record<NodeName, new () => INodeType>>;

const require = createRequire(import.meta.url);
const provided = new Map<string, unknown>(PROVIDED.map((name) => [name, require(name)]));

/** An object at a module's top level that can change. A process loses it when it ends. */
const STATE = /^((?:export )?const \w+ = )(new \w+(?:<.*>)?\((?:\(\) => .*)?\));$/gm;

/** Gives each process its own state at the modules' top level. */
const separateStates: Plugin = {
	name: 'separate states',
	setup: ({ onLoad }) =>
		onLoad({ filter: /\/nodes\/Maxun\/.*\.ts$/ }, async ({ path }) => {
			const source = await readFile(path, 'utf8');
			if (/^(export )?(let|var) /m.test(source)) {
				throw new Error(`${path}: the simulated processes would share this variable`);
			}
			return { contents: source.replace(STATE, '$1ofEachProcess(() => $2);'), loader: 'ts' };
		}),
};

/** An object with the state of the process that uses it. */
function ofEachProcess(create: () => object): object {
	const states = new WeakMap<Owner, object>();
	const state = () => {
		const process = currentOwner();
		if (!process) throw new Error('The nodes use their state outside of a process');
		const found = states.get(process) ?? create();
		states.set(process, found);
		return found;
	};
	const get = (_: object, name: string | symbol): unknown => {
		const found = state();
		const value: unknown = Reflect.get(found, name, found);
		return typeof value === 'function' ? value.bind(found) : value;
	};
	return new Proxy({}, { get });
}

/** The nodes' code. It is evaluated only once, because that takes a long time and new code is slow at first. */
export class NodeCode {
	private constructor(private readonly nodes: Map<string, INodeType>) {}

	/** A node type, such as `maxun`. */
	node(type: string): INodeType {
		const found = this.nodes.get(type);
		if (!found) throw new Error(`No node type '${type}'`);
		return found;
	}

	/** Bundles and evaluates the nodes. @param folder the package's folder; by default, this package's */
	static async load(folder = ROOT): Promise<NodeCode> {
		const names: NodeName[] = ['Maxun', 'MaxunTrigger'];
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
			plugins: [separateStates],
		});
		const [bundle] = outputFiles;
		const code = `(function (module, exports, require, ofEachProcess) {${bundle?.text}\n})`;
		const script = new Script(code, { filename: join(nodes, 'bundle.cjs') });
		const module: { exports: Classes } = { exports: {} };
		const load = (name: string) => provided.get(name) ?? require(name);
		script.runInThisContext()(module, module.exports, load, ofEachProcess);
		const types = names.map((name) => {
			const Node = module.exports[name];
			if (!Node) throw new Error(`The bundle lacks ${name}`);
			const type = new Node();
			return [type.description.name, type] as const;
		});
		return new NodeCode(new Map(types));
	}
}

/**
 * An n8n process with its own state of the nodes. After a kill, its timers don't fire and its requests aren't
 * answered. So its code ends at the `await` that it has reached.
 */
export class N8nProcess implements Owner {
	alive = true;

	constructor(
		readonly name: string,
		private readonly code: NodeCode,
	) {}

	/** A node type. Its state belongs to the process whose turn it is. */
	node(type: string): INodeType {
		return this.code.node(type);
	}

	kill(): void {
		this.alive = false;
	}

	/** The process that runs after a restart: a new process if this process was killed. */
	restarted(): N8nProcess {
		return this.alive ? this : new N8nProcess(this.name, this.code);
	}
}
