import { withoutSecret } from './redaction';

type FaultDetails = Partial<
	Pick<
		MaxunFault,
		| 'status'
		| 'transient'
		| 'uncertain'
		| 'unrepeatable'
		| 'missingRoute'
		| 'reason'
		| 'remainder'
		| 'forModel'
	>
>;

/**
 * Why something could not be done, worded for the user of the node.
 *
 * `message` says what happened, `description` how to fix it. Code without an n8n context throws this, and `toNodeError`
 * in engine/ turns it into n8n's error.
 */
export class MaxunFault extends Error {
	/** HTTP status of the response; undefined if there was none. */
	readonly status?: number;

	/** Whether the same request may succeed later: rate limit, overload, network. */
	readonly transient: boolean;

	/** Whether the request may have succeeded, because its response was lost. */
	readonly uncertain: boolean;

	/** Whether a retry could do something twice, such as start a run. Retry On Fail doesn't try this again. */
	readonly unrepeatable: boolean;

	/** Whether this server version lacks the route. */
	readonly missingRoute: boolean;

	/** The server's own words. `description` contains them, too. */
	readonly reason?: string;

	/** What remains or may remain in Maxun, as a sentence. `message` or `description` contains it, too. */
	readonly remainder?: string;

	/** How an AI model can fix it, if `description` names settings of the node. */
	readonly forModel?: string;

	constructor(
		message: string,
		readonly description: string,
		{
			status,
			transient = false,
			uncertain = false,
			unrepeatable = false,
			missingRoute = false,
			reason,
			remainder,
			forModel,
		}: FaultDetails = {},
	) {
		super(message);
		this.name = 'MaxunFault';
		this.status = status;
		this.transient = transient;
		this.uncertain = uncertain;
		this.unrepeatable = unrepeatable;
		this.missingRoute = missingRoute;
		this.reason = reason;
		this.remainder = remainder;
		this.forModel = forModel;
	}

	/** Message and description combined, for places that show only one text. */
	get text(): string {
		return [this.message, this.description].filter(Boolean).join('. ');
	}

	/** The same fault with one more sentence for the user. */
	adding(sentence: string): MaxunFault {
		const forModel = this.forModel && `${this.forModel}. ${sentence}`;
		return new MaxunFault(this.message, `${this.description}. ${sentence}`, { ...this, forModel });
	}

	/** The same fault with one more sentence, about what remains in Maxun. */
	leaving(sentence: string): MaxunFault {
		const remainder = [this.remainder, sentence].filter(Boolean).join('. ');
		const added = this.adding(sentence);
		return new MaxunFault(added.message, added.description, { ...added, remainder });
	}

	/** The same fault, for something that a retry can or can't do twice. */
	repeating(unrepeatable: boolean): MaxunFault {
		return new MaxunFault(this.message, this.description, { ...this, unrepeatable });
	}

	/** The same fault, without a secret that the server or network may have echoed. */
	without(secret: string, replacement?: string): MaxunFault {
		if (secret === '') return this;
		const cleaned = (text: string) => withoutSecret(text, secret, replacement);
		const [reason, remainder, forModel] = [this.reason, this.remainder, this.forModel].map(
			(text) => text && cleaned(text),
		);
		const details = { ...this, reason, remainder, forModel };
		return new MaxunFault(cleaned(this.message), cleaned(this.description), details);
	}
}

/** What a fault can mean to a caller, most specific first. */
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
 * The only way to handle faults. Returns a handler's value, or throws the fault again.
 *
 * A fault goes to the handler for its most specific meaning. Other errors, such as n8n's own for a cancelled execution,
 * are always thrown.
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

/** The fault that work ends with; undefined if it succeeds. */
export const faultOf = async (work: Promise<unknown>): Promise<MaxunFault | undefined> =>
	await recover(
		work.then(() => undefined),
		{ any: (fault) => fault },
	);
