import type { IDataObject } from 'n8n-workflow';
import type { MaxunFault } from './fault';
import { DEFAULT_RETRY_LIMITS } from './retry';

/** Times are in epoch milliseconds. */
interface Rejected {
	begunAt: number;
	until: number;
	fault: MaxunFault;
}

/** All requests of an n8n context share it: work for items, polling, paging and cleanup. */
export class RequestLimiter {
	private active = 0;
	private waiting: Array<() => void> = [];
	private refusal?: Rejected;
	private remaining = Infinity;
	/** How far the server's clock is ahead of n8n's, in milliseconds. */
	clockOffset = 0;

	/** When few requests remain, only as many are active, so that Maxun rejects at most one. */
	async run<T>(limit: number, send: () => Promise<T>): Promise<T> {
		while (this.active >= Math.min(limit, Math.max(this.remaining, 1))) {
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		}
		this.active++;
		try {
			return await send();
		} finally {
			this.active--;
			this.waiting.shift()?.();
		}
	}

	get isRefusing(): boolean {
		return this.refusal !== undefined && this.refusal.until > Date.now();
	}

	/** In milliseconds. @throws MaxunFault if that is more than `atMost`, or if Maxun rejects everything for too long */
	timeToWait(atMost: number): number {
		const { refusal } = this;
		const left = refusal ? refusal.until - Date.now() : 0;
		if (!refusal || left <= 0) return 0;
		if (left > atMost || refusal.until - refusal.begunAt > DEFAULT_RETRY_LIMITS.maxWait) {
			throw refusal.fault;
		}
		return left;
	}

	/** Records a rejection because of the rate limit. `delay` is in milliseconds. */
	refused(delay: number, fault: MaxunFault): void {
		const { begunAt = Date.now(), until = 0 } = this.refusal ?? {};
		this.refusal = { begunAt, until: Math.max(until, Date.now() + delay), fault };
		this.remaining = 0;
	}

	/** Only Maxun's own response shows its time, and not a proxy's error page. */
	noteTime({ date }: IDataObject): void {
		const time = Date.parse(String(date));
		if (!Number.isNaN(time)) this.clockOffset = time - Date.now();
	}

	accepted(headers: IDataObject): void {
		if (!this.isRefusing) this.refusal = undefined;
		const before = this.remaining;
		const remaining = Number.parseInt(String(headers['x-ratelimit-remaining']));
		this.remaining = Number.isNaN(remaining) ? Infinity : remaining;
		if (this.remaining <= before) return;
		for (const next of this.waiting.splice(0)) next();
	}
}
