/** Milliseconds after which a claim is void: n8n has not stored the execution, a repeat is welcome. */
const LIFETIME = 60_000;

/**
 * The runs that this process is dealing with right now, so that deliveries at the same time do not start a workflow
 * twice for one run.
 */
export class Claims {
	/** Until when each claim holds, and when the run ended, in epoch milliseconds. */
	private readonly held = new Map<string, { until: number; end: number }>();

	/** Claims a run. @returns false when it is claimed already */
	take(runId: string, end = 0): boolean {
		if (this.holds(runId)) return false;
		this.held.set(runId, { until: Date.now() + LIFETIME, end });
		return true;
	}

	/** Notes when a claimed run ended. */
	learn(runId: string, end = 0): void {
		this.held.set(runId, { until: Date.now() + LIFETIME, end });
	}

	release(runId: string): void {
		this.held.delete(runId);
	}

	/** The earliest end of a claimed run; 0 when one is claimed whose end is not known; Infinity for none. */
	get earliestEnd(): number {
		const runIds = [...this.held.keys()].filter((runId) => this.holds(runId));
		return Math.min(Infinity, ...runIds.map((runId) => this.held.get(runId)?.end ?? 0));
	}

	/** Whether a claim is there and holds; one that has run out is forgotten. */
	private holds(runId: string): boolean {
		const isValid = (this.held.get(runId)?.until ?? 0) > Date.now();
		if (!isValid) this.held.delete(runId);
		return isValid;
	}
}
