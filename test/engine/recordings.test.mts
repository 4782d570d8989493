import { describe, expect, it } from 'vitest';
import { exchanges, type Exchange } from '../helpers/recordings.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { replay, UNUSED } from './support/replay.mts';
import { isStartOfNone, setupOf } from './support/replay-setups.mts';

const sandbox = useSandbox();

const isUnused = ({ method, path }: Exchange) =>
	UNUSED.some(([route]) => route.test(`${method} ${path}`));

/** The server's own words in a response; undefined for a page. */
function wordsOf({ answer }: Exchange): string | undefined {
	if (typeof answer !== 'object' || answer === null) return undefined;
	const words = 'message' in answer ? answer.message : 'error' in answer ? answer.error : undefined;
	return typeof words === 'string' ? words : undefined;
}

/** Statuses that the node explains itself: an existing robot, a wrong key, an unavailable database. */
const EXPLAINED = [200, 401, 403, 503];

describe('exchanges with a real server', () => {
	it.each(exchanges.filter((exchange) => !isUnused(exchange)))(
		'$name: $method $path',
		async (exchange) => {
			const setup = setupOf(exchange);
			const { items, error } = await replay(sandbox, exchange, setup);
			if (setup.ids === undefined && setup.fields === undefined) {
				expect(error?.message).toEqual(expect.any(String));
				const text = JSON.stringify(error);
				const words = wordsOf(exchange);
				if (
					words !== undefined &&
					!EXPLAINED.includes(exchange.status) &&
					!isStartOfNone(exchange)
				) {
					// The node may add a sentence.
					expect(text).toContain(JSON.stringify(words).slice(1, -1).replace(/\.$/, ''));
				}
				expect(text).not.toContain('<pre>');
				return;
			}
			expect(error).toBeUndefined();
			if (setup.ids) expect(items.map(({ id }) => id).sort()).toEqual([...setup.ids].sort());
			if (setup.fields) expect(items[0]).toMatchObject(setup.fields);
			expect(JSON.stringify(items)).not.toContain('model-key');
		},
	);

	it('every route that the nodes do not use has a reason', () => {
		const unused = exchanges.filter(isUnused);
		for (const [route, because] of UNUSED) {
			expect(unused.some(({ method, path }) => route.test(`${method} ${path}`))).toBe(true);
			expect(because).not.toBe('');
		}
	});
});
