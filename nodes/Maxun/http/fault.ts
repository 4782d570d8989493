import { sentences, wordsOf } from './text';
import type { Failure } from 'n8n-workflow';

export type FaultDetails = Partial<
	Omit<MaxunFault, keyof Error | 'description' | 'text' | 'isNotFound' | 'with' | 'adding'>
>;

/** Why something failed: `message` says what happened, `description` how to fix it. */
export class MaxunFault extends Error {
	readonly status?: number;

	/** Maxun's own response in a documented format, and not a proxy's page. */
	readonly isMaxuns: boolean = false;

	/** Maxun certainly hasn't processed the request, so a retry is safe. */
	readonly notProcessed: boolean = false;

	/** Something may have been started or created, so the request must not be retried. */
	readonly mayHaveHappened: boolean = false;

	/** The same request may succeed later. A fault that isn't Maxun's own response also counts. */
	readonly temporary: boolean = false;

	/** The same request may succeed within seconds. */
	readonly momentary: boolean = false;

	readonly missingRoute: boolean = false;

	/** In milliseconds, if the response says when to retry. */
	readonly retryAfter?: number;

	readonly reason?: string;

	readonly details: string[] = [];

	/** An incomplete robot may remain in Maxun. It must not be used. */
	readonly isIncomplete: boolean = false;

	/** How a language model can fix it, if `description` mentions the node's settings. */
	readonly forModel?: string;

	/** In n8n's terms; undefined if Maxun didn't reject the request, or if the reason is unknown. */
	readonly failure?: Failure;

	constructor(
		message: string,
		readonly description: string,
		details: FaultDetails = {},
	) {
		super(message);
		this.name = 'MaxunFault';
		Object.assign(this, details, { description });
	}

	get text(): string {
		return sentences(this.message, this.description);
	}

	/** Maxun itself says that the entry doesn't exist. */
	get isNotFound(): boolean {
		return this.isMaxuns && this.status === 404 && !this.missingRoute;
	}

	/** Remains an instance of its class. */
	with(changes: FaultDetails & { message?: string; description?: string }): this {
		const prototype: object | null = Object.getPrototypeOf(this);
		const copy: this = Object.create(prototype, Object.getOwnPropertyDescriptors(this));
		return Object.assign(copy, changes);
	}

	adding(sentence: string): this {
		const forModel = this.forModel && sentences(this.forModel, sentence);
		return this.with({ description: sentences(this.description, sentence), forModel });
	}
}

export const fullTextOf = (error: unknown): string =>
	error instanceof MaxunFault ? error.text : wordsOf(error);

const MEANINGS = [
	['missingRoute', (fault: MaxunFault) => fault.missingRoute],
	['notFound', (fault: MaxunFault) => fault.isNotFound],
	['forbidden', (fault: MaxunFault) => fault.isMaxuns && fault.status === 403],
	['mayHaveHappened', (fault: MaxunFault) => fault.mayHaveHappened],
	['temporary', (fault: MaxunFault) => fault.temporary],
	['any', () => true],
] as const;

type Meaning = (typeof MEANINGS)[number][0];

/** Returns the value of the handler for the most specific meaning, or throws again. Other errors are always thrown. */
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
