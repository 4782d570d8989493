import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const CANDIDATES = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/usr/bin/google-chrome-stable',
	'/snap/bin/chromium',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const VIEWPORT = { width: 1280, height: 720 };
const TIMEOUT_MS = 30_000;

/** Takes screenshots with a local Chromium and starts it on first use. */
export class Screenshots {
	private browser: Promise<Browser> | undefined;

	/** The browser's path; undefined if no browser is available. */
	executable(): string | undefined {
		const chosen = process.env.CHROMIUM_PATH;
		return [...(chosen ? [chosen] : []), ...CANDIDATES].find((path) => existsSync(path));
	}

	/** A PNG of the visible part or the full page. */
	async take(url: string, fullPage: boolean, signal: AbortSignal): Promise<Buffer> {
		signal.throwIfAborted();
		const page = await (await this.start()).newPage({ viewport: VIEWPORT });
		const stop = () => void page.close();
		signal.addEventListener('abort', stop, { once: true });
		try {
			await page.goto(url, { waitUntil: 'load', timeout: TIMEOUT_MS });
			return await page.screenshot({ fullPage, timeout: TIMEOUT_MS });
		} finally {
			signal.removeEventListener('abort', stop);
			await page.close();
		}
	}

	async close(): Promise<void> {
		const browser = await this.browser?.catch(() => undefined);
		await browser?.close();
	}

	private async start(): Promise<Browser> {
		const executablePath = this.executable();
		if (executablePath === undefined) throw new Error('No Chromium was found for screenshots');
		this.browser ??= chromium.launch({
			executablePath,
			// Chromium's sandbox refuses to run as root, as in most containers.
			args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
		});
		return await this.browser;
	}
}
