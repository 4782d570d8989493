import { KEYS, SENDER } from '../../origins.mts';
import type { Exchange } from '../../network.mts';
import type { Story } from '../story.mts';
import { runsOf } from './watches.mts';

const MINUTE = 60_000;

/** How long parallel requests may still arrive, in milliseconds. */
const ON_THE_WAY = 1000;

/** How many runs a poll may read for a later poll. */
const READ_AHEAD = 150;

/** The requests of each call, by sender. */
function bySender({ world }: Story): Map<string, Exchange[]> {
	const found = new Map<string, Exchange[]>();
	for (const exchange of world.network.exchanges) {
		const sender = exchange.request.headers[SENDER];
		if (sender === undefined) continue;
		const own = found.get(sender) ?? [];
		own.push(exchange);
		found.set(sender, own);
	}
	return found;
}

/** After a 429, a call waits as long as Maxun asks. Requests that were already on their way don't count. */
export function rateLimitsAreRespected(story: Story): string[] {
	return [...bySender(story)].flatMap(([sender, exchanges]) => {
		let until = 0;
		let early = 0;
		const moments = exchanges
			.flatMap((exchange) => {
				const { response, ended, fault } = exchange;
				const seconds = Number(response?.headers?.['retry-after'] ?? 0);
				const isLimit = fault === undefined && response?.status === 429 && seconds > 0;
				const sent = [{ at: exchange.sent, until: 0 }];
				return isLimit && ended !== undefined
					? [...sent, { at: ended + ON_THE_WAY, until: ended + (seconds - 1) * 1000 }]
					: sent;
			})
			.sort((a, b) => a.at - b.at);
		for (const moment of moments) {
			if (moment.until > 0) until = Math.max(until, moment.until);
			else if (moment.at < until) early++;
		}
		return early > 0 ? [`${sender} sent ${early} requests before Retry-After was over`] : [];
	});
}

const hasFailed = ({ fault, response }: Exchange): boolean =>
	fault !== undefined || (response?.status ?? 0) >= 400;

const last = (exchanges: Exchange[]): number => exchanges.at(-1)?.sent ?? 0;

/** Each event and each poll sends few requests, whatever it contains. */
export function requestsStayWithinBounds(story: Story): string[] {
	const { world, history } = story;
	const requests = bySender(story);
	// An event without a run ID lists runs, and reads up to five of them. Events within ten seconds share a sender.
	const isNamed = !['without ID', 'unknown field'].includes(history.service.deliveries);
	const each = isNamed ? 4 : 6;
	return world.hosts.flatMap(({ calls }) => {
		const emitted = calls.map(({ start }) => runsOf(start?.items ?? []).length);
		return calls.flatMap(({ sender, kind, began, workflowId }, index) => {
			const sent = requests.get(sender) ?? [];
			const failed = sent.filter(hasFailed).length;
			const count = sent.length - failed;
			// If events arrive together, a trigger may read their runs in parallel.
			const together = calls.flatMap((other, number) =>
				other.workflowId === workflowId && Math.abs(other.began - began) <= MINUTE / 2
					? (emitted[number] ?? 0) + 1
					: [],
			);
			const runs = Math.max(emitted[index] ?? 0, ...together) + together.length;
			const readAhead = kind === 'poll' ? READ_AHEAD : 0;
			const limit = 40 + 8 * history.robots + each * runs + readAhead;
			// A failed request is retried up to three times. If an edit is published in the meantime, a poll reads more runs than it proposes.
			const isReplaced = story.publications.some(
				({ ended, ...other }) =>
					other.workflowId === workflowId && ended && ended.at >= began && ended.at < last(sent),
			);
			const isTooMuch = (count > limit && !isReplaced) || failed > 4 * limit;
			return isTooMuch && kind !== 'hook' && kind !== 'test'
				? [`a ${kind} sent ${count} requests, more than ${limit}, and ${failed} failed`]
				: [];
		});
	});
}

export const noKeyIsLogged = ({ logs }: Story): string[] =>
	logs
		.filter(({ text }) => Object.values(KEYS).some((key) => text.includes(key)))
		.map(({ text }) => text);

export const noRejectionIsUnhandled = ({ world }: Story): string[] => world.unhandled;
