export interface Release {
	n8n: string;
	/** The version of its engine, the package n8n-core. */
	core: string;
	zod: string;
	/** Versions of n8n's transitive packages. Otherwise, some don't exist or don't fit. */
	overrides?: Record<string, string>;
	/** Tests of what this version lacks: the start of file names, and parts of titles. */
	lacks?: { files?: string[]; titles?: string[] };
}

/** Output schemas in the editor, and SSRF protection. */
const NEWER = ['built-schemas', 'ssrf'];

/** Isolates for expressions. */
const ISOLATES = ["after an earlier event's response"];

/** n8n stores a polling node's data separately from its execution. */
const DURABLE_CURSORS = ['with durable cursors'];

const UNTIL_2_20 = { files: NEWER, titles: [...ISOLATES, ...DURABLE_CURSORS] };

const OVERRIDES = {
	linkedom: '0.18.12',
	xlsx: '0.18.5',
	'@langchain/langgraph-checkpoint': '1.0.2',
};

/** From old to new. The first is the oldest version that the package supports. */
export const RELEASES: Release[] = [
	{
		n8n: '1.123.81',
		core: '1.122.48',
		zod: '3.25.67',
		overrides: OVERRIDES,
		lacks: UNTIL_2_20,
	},
	{ n8n: '2.0.0', core: '2.0.0', zod: '3.25.67', lacks: UNTIL_2_20 },
	{
		n8n: '2.20.12',
		core: '2.20.6',
		zod: '3.25.67',
		lacks: UNTIL_2_20,
	},
	{
		n8n: '2.41.1',
		core: '2.41.1',
		zod: '3.25.76',
		overrides: {
			linkedom: '0.18.12',
			'@langchain/langgraph-checkpoint': '1.1.5',
			'@langchain/protocol': '0.0.19',
		},
	},
];

/**
 * The release for tests in a real n8n instance: the version in the environment variable `TEST_N8N`, or the newest.
 * @throws Error if the version isn't in the list
 */
export function selectedRelease(): Release {
	const wanted = process.env.TEST_N8N || RELEASES.at(-1)?.n8n;
	const release = RELEASES.find(({ n8n }) => n8n === wanted);
	if (release) return release;
	const known = RELEASES.map(({ n8n }) => n8n).join(', ');
	throw new Error(`Unknown n8n version ${wanted}. Known versions: ${known}`);
}
