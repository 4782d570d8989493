import fc from 'fast-check';
import type { ServiceSettings } from '../maxun/service.mts';
import { FAULTS } from '../network.mts';
import { often, type Generated } from '../random.mts';

/** What a node compares. With `fields`, somebody has chosen selectors. */
export const FORMS = ['text', 'example', 'automatic', 'fields', 'robot'] as const;
export type Form = (typeof FORMS)[number];

export const MOST_PAGES = 4;

const anyPage = fc.nat({ max: MOST_PAGES - 1 });

/** Somebody changes a page. */
const edit = fc.record({
	page: anyPage,
	what: fc.constantFrom('price', 'price', 'add', 'remove', 'move'),
	row: fc.nat({ max: 9 }),
	price: fc.integer({ min: 1, max: 999 }),
	/** Seconds after the check begins. */
	after: often(0, 3, 6, 12, 30),
});
export type Edit = Generated<typeof edit>;

/** What visitors of a page see during a check. */
const refusal = fc.record({
	page: anyPage,
	text: fc.constantFrom(
		'',
		'403 Forbidden\n\nnginx',
		"Access Denied\n\nYou don't have permission to access this page on this server.",
		'Just a moment...\n\nVerify you are human by completing the action below.',
	),
});

const count = fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 30 }));

const happening = fc.oneof(
	/** n8n is killed at a request of the check, and starts again after a few seconds. */
	fc.record({
		kill: count,
		moment: fc.constantFrom('sent', 'arrived', 'ended'),
		restartAfter: fc.constantFrom(1, 30, 300),
	}),
	/** Some of the check's requests fail. */
	fc.record({
		fault: fc.constantFrom(...FAULTS),
		from: count,
		times: often(1, 2, 5, 30),
	}),
	/** All pages get a new design, so that selectors find nothing anymore. */
	fc.constant({ redesign: true as const }),
	/** Somebody does this with a page's robots. */
	fc.record({ robots: fc.constantFrom('delete', 'rename', 'run', 'cancel'), page: anyPage }),
	/** The plan doesn't allow another robot during the check. */
	fc.constant({ fullPlan: true as const }),
	/** Somebody changes the node. */
	fc.record({ form: fc.constantFrom(...FORMS) }),
	/** Somebody removes a page from the node, or adds it again. */
	fc.record({ leave: anyPage }),
	fc.record({ join: anyPage }),
);
export type Happening = Generated<typeof happening>;

const check = fc.record({
	/** Minutes until the next check. If less than one, executions overlap. */
	gap: often(60, 0.03, 0.1, 0.2, 5, 1_440, 10 * 1_440, 40 * 1_440),
	mode: often('trigger', 'trigger', 'manual'),
	edits: fc.array(edit, { maxLength: 3 }),
	refusal: fc.option(refusal, { freq: 8 }),
	happening: fc.option(happening, { freq: 3 }),
});
export type Check = Generated<typeof check>;

const service: fc.Arbitrary<ServiceSettings> = fc.record({
	slots: fc.constantFrom(1, 3, 20),
	lag: often(0, 300, 2_000),
	deliveries: fc.constant('snake'),
	rateLimit: often(100_000, 120),
	skew: often(0, -600_000, 5_000, 600_000),
	timeless: often<ServiceSettings['timeless']>(undefined, 'queued'),
});

/** Everything that happens in a simulation of Get Changes. Plain data, so that it can be printed. */
export const history = fc.record({
	seed: fc.integer(),
	server: fc.constantFrom('cloud', 'selfHosted'),
	service,
	host: fc.record({ workers: often(0, 1) }),
	role: fc.constant('admin'),
	hasOtherN8n: fc.constant(false),
	pages: fc.integer({ min: 1, max: MOST_PAGES }),
	form: fc.constantFrom(...FORMS),
	repairs: fc.boolean(),
	firstCheck: often('nothing', 'all'),
	onFailure: often('skip', 'error', 'return'),
	checks: fc.array(check, { minLength: 1, maxLength: 100, size: 'max' }),
});
export type History = Generated<typeof history>;
