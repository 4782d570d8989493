/**
 * Milliseconds for which a run that was handed to n8n stays claimed without word of it. n8n may take long to store the
 * execution, as where it limits how many go on at once. A sender has given up by then: its last attempt is made 43
 * minutes after the first, and each may take half a minute more. So what comes later is surely no repeat.
 */
const HANDED_OVER = 60 * 60_000;

/**
 * The runs that this process is dealing with right now, so that deliveries do not start a workflow twice for one run. A
 * run that is worked on is claimed until whoever does it lets go; one that n8n has, until n8n says what became of it.
 */
export class Claims {
	/** Until when each claim holds, and when the run ended, in epoch milliseconds. */
	private readonly held = new Map<string, { until: number; end: number }>();

	/** Claims a run, until it is released. @returns false when it is claimed already */
	take(runId: string, end = 0): boolean {
		if (this.holds(runId)) return false;
		this.held.set(runId, { until: Infinity, end });
		return true;
	}

	/** Notes when a claimed run ended. */
	learn(runId: string, end = 0): void {
		this.held.set(runId, { until: Infinity, end });
	}

	/** Notes that n8n has a claimed run now, which may never say what became of it. */
	handOver(runId: string): void {
		const end = this.held.get(runId)?.end ?? 0;
		this.held.set(runId, { until: Date.now() + HANDED_OVER, end });
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
