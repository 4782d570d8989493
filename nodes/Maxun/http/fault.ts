type FaultDetails = Partial<
	Pick<MaxunFault, 'status' | 'transient' | 'uncertain' | 'missingRoute'>
>;

/**
 * Why something could not be done, in words for the user of the node.
 *
 * `message` says what happened, `description` how to fix it. Thrown by everything that has no n8n context;
 * `toNodeError` in engine/ turns it into n8n's error for the node and item.
 */
export class MaxunFault extends Error {
	/** HTTP status of the response; undefined if there was none. */
	readonly status?: number;

	/** Whether the same request may succeed a little later: rate limit, overload, network. */
	readonly transient: boolean;

	/** Whether the service may have done what was asked: its response was lost. */
	readonly uncertain: boolean;

	/** Whether this version of the server doesn't have the route. */
	readonly missingRoute: boolean;

	constructor(
		message: string,
		readonly description: string,
		{ status, transient = false, uncertain = false, missingRoute = false }: FaultDetails = {},
	) {
		super(message);
		this.name = 'MaxunFault';
		this.status = status;
		this.transient = transient;
		this.uncertain = uncertain;
		this.missingRoute = missingRoute;
	}

	/** Message and description as one text, for logs and places that show only one. */
	get text(): string {
		return [this.message, this.description].filter(Boolean).join('. ');
	}

	/** The same fault with one more sentence for the user. */
	adding(sentence: string): MaxunFault {
		return new MaxunFault(this.message, `${this.description}. ${sentence}`, this);
	}

	/** The same fault without a secret that the service or the network may have repeated. */
	without(secret: string): MaxunFault {
		if (secret === '') return this;
		// A very short key, as a test server may have, is part of many words.
		const pattern =
			secret.length < SHORTEST_SECRET ? `(?<!\\w)${escaped(secret)}(?!\\w)` : escaped(secret);
		const cleaned = (text: string) => text.replace(new RegExp(pattern, 'g'), '[API key]');
		return new MaxunFault(cleaned(this.message), cleaned(this.description), this);
	}
}

/** Characters of a secret that is replaced wherever it occurs. */
const SHORTEST_SECRET = 8;

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What a fault can mean to a caller, the most specific first. */
const MEANINGS = {
	missingRoute: (fault: MaxunFault) => fault.missingRoute,
	notFound: (fault: MaxunFault) => fault.status === 404,
	forbidden: (fault: MaxunFault) => fault.status === 403,
	uncertain: (fault: MaxunFault) => fault.uncertain,
	transient: (fault: MaxunFault) => fault.transient,
	any: () => true,
};

type Meaning = keyof typeof MEANINGS;

const BY_SPECIFICITY: Meaning[] = [
	'missingRoute',
	'notFound',
	'forbidden',
	'uncertain',
	'transient',
	'any',
];

/**
 * The one way to handle faults: continues with a value where the caller can, and throws everything else.
 *
 * A fault goes to the handler of its most specific meaning. An error that isn't a MaxunFault, such as n8n's own when an
 * execution is cancelled, is always thrown.
 *
 * @example await recover(maxun.robots.get(id), { notFound: () => undefined })
 */
export async function recover<T, R>(
	work: Promise<T>,
	handlers: Partial<Record<Meaning, (fault: MaxunFault) => R | Promise<R>>>,
): Promise<T | R> {
	return await work.catch(async (fault: unknown) => {
		if (!(fault instanceof MaxunFault)) throw fault;
		for (const meaning of BY_SPECIFICITY) {
			const handler = handlers[meaning];
			if (handler && MEANINGS[meaning](fault)) return await handler(fault);
		}
		throw fault;
	});
}

/** The result of work that ends with a fault as an ordinary value. */
export const faultOf = async (work: Promise<unknown>): Promise<MaxunFault | undefined> =>
	await recover(
		work.then(() => undefined),
		{ any: (fault) => fault },
	);
