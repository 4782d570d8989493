/**
 * Milliseconds for which n8n may keep a claimed run without reporting what became of it. n8n may store executions
 * late, for example if it limits how many run at once. By then no sender repeats the event: its last attempt starts 43
 * minutes after the first and takes up to half a minute.
 */
const HANDOVER_TIME = 60 * 60_000;

/**
 * The runs that this process is working on, so that several deliveries don't start the workflow twice for one run. A
 * claim ends when it is released. After a handover to n8n, it ends at the latest an hour later.
 */
export class Claims {
	/** Until when each claim is valid, and when the run ended, in epoch milliseconds. */
	private readonly claimed = new Map<string, { until: number; end: number }>();

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

	/** Leaves a claimed run to n8n, which may never report what became of it. */
	handOver(runId: string): void {
		const end = this.claimed.get(runId)?.end ?? 0;
		this.claimed.set(runId, { until: Date.now() + HANDOVER_TIME, end });
	}

	release(runId: string): void {
		this.claimed.delete(runId);
	}

	/** The earliest end of a claimed run: 0 if the end of one is unknown, Infinity if none is claimed. */
	get earliestEnd(): number {
		const runIds = [...this.claimed.keys()].filter((runId) => this.isClaimed(runId));
		return Math.min(Infinity, ...runIds.map((runId) => this.claimed.get(runId)?.end ?? 0));
	}

	/** Whether a claim is valid. Deletes an expired one. */
	private isClaimed(runId: string): boolean {
		const isValid = (this.claimed.get(runId)?.until ?? 0) > Date.now();
		if (!isValid) this.claimed.delete(runId);
		return isValid;
	}
}

/** The claims of one delivery, which are all released when it ends, except those that were handed over. */
export class DeliveryClaims {
	private readonly runIds = new Set<string>();

	constructor(private readonly claims: Claims) {}

	/** @returns false if this or another delivery has already claimed the run */
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

	/** Leaves claimed runs to n8n. @returns a function that releases them, once: others may claim them afterwards */
	handOver(runIds: string[]): () => void {
		for (const runId of runIds) {
			this.runIds.delete(runId);
			this.claims.handOver(runId);
		}
		let isReleased = false;
		return () => {
			if (!isReleased) for (const runId of runIds) this.claims.release(runId);
			isReleased = true;
		};
	}
}
