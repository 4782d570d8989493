import { ApiError } from './errors.mts';
import type { Settings } from './settings.mts';

export const CATEGORIES = ['read', 'write', 'runs'] as const;
export type Category = (typeof CATEGORIES)[number];

interface Window {
	startedAt: number;
	used: number;
}

/** Counts requests by key and category in fixed time windows. */
export class RateLimits {
	private windows = new Map<string, Window>();

	constructor(private readonly settings: Settings) {}

	reset(): void {
		this.windows.clear();
	}

	remaining(key: string, category: Category): number {
		return Math.max(0, this.settings.rateLimitPerMinute - this.window(key, category).used);
	}

	count(key: string, category: Category): Record<string, string> {
		const window = this.window(key, category);
		window.used += 1;
		const headers = {
			'x-ratelimit-limit': String(this.settings.rateLimitPerMinute),
			'x-ratelimit-remaining': String(this.remaining(key, category)),
		};
		if (window.used <= this.settings.rateLimitPerMinute) return headers;
		const endsAt = window.startedAt + this.settings.rateWindowSeconds * 1000;
		const seconds = Math.max(1, Math.ceil((endsAt - Date.now()) / 1000));
		throw new ApiError(429, `Rate limit reached for ${category} requests; retry in ${seconds} s`, {
			...headers,
			'retry-after': String(seconds),
		});
	}

	private window(key: string, category: Category): Window {
		const name = `${category} ${key}`;
		const current = this.windows.get(name);
		const now = Date.now();
		if (current && now - current.startedAt < this.settings.rateWindowSeconds * 1000) return current;
		const fresh = { startedAt: now, used: 0 };
		this.windows.set(name, fresh);
		return fresh;
	}
}
