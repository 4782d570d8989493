/** Work that goes on until it ends or the sandbox closes. */
export class Background {
	private readonly stopping = new AbortController();
	private readonly pending = new Set<Promise<void>>();
	readonly signal = this.stopping.signal;

	add(work: Promise<void>): void {
		const done: Promise<void> = work.finally(() => this.pending.delete(done));
		this.pending.add(done);
	}

	async close(): Promise<void> {
		this.stopping.abort();
		await Promise.all(this.pending);
	}
}
