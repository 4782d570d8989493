import type { Failure } from 'n8n-workflow';

export type FaultDetails = Partial<
	Omit<MaxunFault, keyof Error | 'description' | 'text' | 'isNotFound' | 'with' | 'adding'>
>;

/**
 * Why something failed, in words for the node's user.
 *
 * `message` says what happened, `description` how to fix it. Code without an n8n context throws this, and `toNodeError`
 * turns it into n8n's error.
 */
export class MaxunFault extends Error {
	readonly status?: number;

	/** Whether this is Maxun's own response, in a documented format, and not a proxy's page or a missing response. */
	readonly isMaxuns: boolean = false;

	/** Whether Maxun certainly hasn't processed the request, so that a retry is safe. */
	readonly notProcessed: boolean = false;

	/** Whether something may have been started or created. Then nothing may retry the request, not even Retry On Fail. */
	readonly mayHaveHappened: boolean = false;

	/** Whether the same request may succeed later. A fault that isn't Maxun's own response counts as temporary, too. */
	readonly temporary: boolean = false;

	/** Whether the same request may succeed within seconds. */
	readonly momentary: boolean = false;

	readonly missingRoute: boolean = false;

	/** The server's own words. `description` contains them, too. */
	readonly reason?: string;

	/** What the server says about each part of a request, in full. */
	readonly details: string[] = [];

	/** Whether an incomplete robot may remain in Maxun, as `description` says. Nothing may use it. */
	readonly isIncomplete: boolean = false;

	/** How a language model can fix it, if `description` mentions the node's settings. */
	readonly forModel?: string;

	/**
	 * Why Maxun rejected the request, in n8n's terms; undefined if Maxun didn't reject it, or if the reason is unknown.
	 */
	readonly failure?: Failure;

	constructor(
		message: string,
		readonly description: string,
		details: FaultDetails = {},
	) {
		super(message);
		this.name = 'MaxunFault';
		// The details may be another fault.
		Object.assign(this, details, { description });
	}

	get text(): string {
		return [this.message, this.description].filter(Boolean).join('. ');
	}

	/** Whether Maxun itself says that the entry doesn't exist. */
	get isNotFound(): boolean {
		return this.isMaxuns && this.status === 404 && !this.missingRoute;
	}

	/** The same fault with other texts or details. It remains an instance of its class. */
	with(changes: FaultDetails & { message?: string; description?: string }): this {
		const prototype: object | null = Object.getPrototypeOf(this);
		const copy: this = Object.create(prototype, Object.getOwnPropertyDescriptors(this));
		return Object.assign(copy, changes);
	}

	adding(sentence: string): this {
		const forModel = this.forModel && `${this.forModel}. ${sentence}`;
		return this.with({ description: `${this.description}. ${sentence}`, forModel });
	}
}

/** What a fault can mean to a caller, most specific first. */
const MEANINGS = [
	['missingRoute', (fault: MaxunFault) => fault.missingRoute],
	['notFound', (fault: MaxunFault) => fault.isNotFound],
	['forbidden', (fault: MaxunFault) => fault.isMaxuns && fault.status === 403],
	['mayHaveHappened', (fault: MaxunFault) => fault.mayHaveHappened],
	['temporary', (fault: MaxunFault) => fault.temporary],
	['any', () => true],
] as const;

type Meaning = (typeof MEANINGS)[number][0];

/**
 * The only way to handle faults. Returns a handler's value, or throws the fault again.
 *
 * The handler for a fault's most specific meaning gets the fault. Other errors, such as n8n's own for a canceled
 * execution, are always thrown.
 *
 * @example await recover(maxun.robots.get(id), { notFound: () => undefined })
 */
export async function recover<T, R>(
	work: Promise<T>,
	handlers: Partial<Record<Meaning, (fault: MaxunFault) => R | Promise<R>>>,
): Promise<T | R> {
	return await work.catch(async (fault: unknown) => {
		if (!(fault instanceof MaxunFault)) throw fault;
		for (const [meaning, applies] of MEANINGS) {
			const handler = handlers[meaning];
			if (handler && applies(fault)) return await handler(fault);
		}
		throw fault;
	});
}

export const faultOf = async (work: Promise<unknown>): Promise<MaxunFault | undefined> =>
	await recover(
		work.then(() => undefined),
		{ any: (fault) => fault },
	);
