import { parse } from 'flatted';
import type { N8n } from './host.mts';

const EVERY = 60_000;

/** An execution that resumes within this many milliseconds gets a timer. */
const AHEAD = 70_000;

/** Resumes paused executions on time (n8n's WaitTracker). Runs in the main process. */
export class WaitTracker {
	private readonly timers = new Set<string>();

	constructor(private readonly n8n: N8n) {}

	start(): void {
		this.look();
		this.n8n.clock.after(EVERY, () => this.start());
	}

	private look(): void {
		const { clock, database } = this.n8n;
		for (const { id, status, waitTill = Infinity } of database.executions.all) {
			if (status !== 'waiting' || waitTill > clock.shown + AHEAD || this.timers.has(id)) continue;
			this.timers.add(id);
			clock.after(waitTill - clock.shown, () => void this.resume(id));
		}
	}

	private async resume(id: string): Promise<void> {
		this.timers.delete(id);
		try {
			const execution = await this.n8n.database.find(id);
			if (!execution || execution.finished) return;
			await this.n8n.executions.run(id, parse(execution.data), 'waiting');
		} catch {
			// The database fails. The next poll finds the execution again.
		}
	}
}
