/**
 * How long n8n may keep a claimed run without reporting the outcome, in milliseconds. n8n may store executions late,
 * for example if it limits how many run at once. By then, no sender retries the event: the last attempt starts 43
 * minutes after the first and takes up to 30 seconds.
 */
const HANDOVER_TIME = 60 * 60_000;

/**
 * The runs that this process is handling, so that deliveries don't start the workflow twice for one run. A claim ends
 * when it is released, or at most an hour after a handover to n8n.
 */
export class Claims {
	/** Until when each claim is valid, and when the run ended, in epoch milliseconds. */
	private readonly claimed = new Map<string, { until: number; end: number }>();
	/** Who waits for the ends of claims, by run ID. */
	private readonly waiting = new Map<string, Array<(isProcessed: boolean) => void>>();

	/** Claims a run until it is released. @returns false if it is already claimed */
	take(runId: string, end = 0): boolean {
		if (this.isClaimed(runId)) return false;
		this.claimed.set(runId, { until: Infinity, end });
		return true;
	}

	/** Sets when a claimed run ended. */
	setEnd(runId: string, end = 0): void {
		this.claimed.set(runId, { until: Infinity, end });
	}

	/** Hands a claimed run over to n8n, which may never report the outcome. */
	handOver(runId: string): void {
		const end = this.claimed.get(runId)?.end ?? 0;
		this.claimed.set(runId, { until: Date.now() + HANDOVER_TIME, end });
	}

	/** Ends a claim. @param isProcessed whether the run has started the workflow */
	release(runId: string, isProcessed = false): void {
		this.claimed.delete(runId);
		for (const resolve of this.waiting.get(runId) ?? []) resolve(isProcessed);
		this.waiting.delete(runId);
	}

	/** Resolves when the claim of a run ends. @returns whether the run has started the workflow */
	async outcomeOf(runId: string): Promise<boolean> {
		if (!this.isClaimed(runId)) return false;
		return await new Promise((resolve) => {
			this.waiting.set(runId, [...(this.waiting.get(runId) ?? []), resolve]);
		});
	}

	/** The earliest end of a claimed run: 0 if any end is unknown, Infinity if none is claimed. */
	get earliestEnd(): number {
		const runIds = [...this.claimed.keys()].filter((runId) => this.isClaimed(runId));
		return Math.min(Infinity, ...runIds.map((runId) => this.claimed.get(runId)?.end ?? 0));
	}

	/** Whether a claim is valid. Deletes an expired one. */
	private isClaimed(runId: string): boolean {
		const isValid = (this.claimed.get(runId)?.until ?? 0) > Date.now();
		if (!isValid && this.claimed.has(runId)) this.release(runId);
		return isValid;
	}
}

/** The claims of a batch of deliveries, which are all released when it ends, except those that were handed over. */
export class DeliveryClaims {
	private readonly runIds = new Set<string>();

	constructor(private readonly claims: Claims) {}

	/** @returns false if the run is already claimed, in this batch or another one */
	take(runId: string, end?: number): boolean {
		if (!this.claims.take(runId, end)) return false;
		this.runIds.add(runId);
		return true;
	}

	/** Sets when a claimed run ended. */
	setEnd(runId: string, end?: number): void {
		this.claims.setEnd(runId, end);
	}

	release(runId: string): void {
		if (this.runIds.delete(runId)) this.claims.release(runId);
	}

	releaseAll(): void {
		for (const runId of this.runIds) this.release(runId);
	}

	/** Resolves when the claim of a run ends. @returns whether the run has started the workflow */
	async outcomeOf(runId: string): Promise<boolean> {
		return await this.claims.outcomeOf(runId);
	}

	/** Hands claimed runs over to n8n. @returns a function that releases them only once: others may claim them later */
	handOver(runIds: string[]): (isProcessed: boolean) => void {
		for (const runId of runIds) {
			this.runIds.delete(runId);
			this.claims.handOver(runId);
		}
		let isReleased = false;
		return (isProcessed) => {
			if (!isReleased) for (const runId of runIds) this.claims.release(runId, isProcessed);
			isReleased = true;
		};
	}
}
