type FaultDetails = Partial<
	Pick<MaxunFault, 'status' | 'transient' | 'uncertain' | 'missingRoute'>
>;

/**
 * Why something could not be done, in words for the user of the node.
 *
 * `message` says what happened, `description` how to put it right. Thrown by everything that knows
 * no n8n context; `toNodeError` in core/ turns it into n8n's error for the node and item.
 */
export class MaxunFault extends Error {
	/** The HTTP status of the answer that this is about; none when there was no answer. */
	readonly status?: number;

	/** Whether the same request may well succeed a little later: rate limit, overload, network. */
	readonly transient: boolean;

	/** Whether the service may have done what was asked all the same: its answer was lost. */
	readonly uncertain: boolean;

	/** Whether the server has no such route at all, as earlier versions of it lack some. */
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

	/** The same fault with one more sentence for the user. */
	adding(sentence: string): MaxunFault {
		return new MaxunFault(this.message, `${this.description}. ${sentence}`, this);
	}

	/** The same fault without a secret that the service or the network may have repeated in its words. */
	without(secret: string): MaxunFault {
		if (secret === '') return this;
		const cleaned = (text: string) => text.replaceAll(secret, '[API key]');
		return new MaxunFault(cleaned(this.message), cleaned(this.description), this);
	}
}

/** What was found, or undefined where there is nothing any more: what is to be removed and is gone is as good. */
export async function gone<T>(finding: Promise<T>): Promise<T | undefined> {
	return await finding.catch((fault: unknown) => {
		if (fault instanceof MaxunFault && fault.status === 404) return undefined;
		throw fault;
	});
}
