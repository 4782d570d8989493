import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { findChromium } from './chromium.mts';

const PLACEHOLDER = new URL('placeholder.png', import.meta.url);
const VIEWPORT = { width: 1280, height: 720 };
const TIMEOUT_MS = 30_000;

/** Takes screenshots with a local Chromium and starts it on first use. Without one, screenshots are placeholders. */
export class Screenshots {
	private browser: Promise<Browser> | undefined;

	/** A PNG of the visible part or the full page. */
	async take(url: string, fullPage: boolean, signal: AbortSignal): Promise<Buffer> {
		signal.throwIfAborted();
		const executablePath = findChromium();
		if (executablePath === undefined) return await this.placeholder();
		const page = await (await this.start(executablePath)).newPage({ viewport: VIEWPORT });
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

	/** A PNG that says that it is a placeholder, and how to get screenshots. */
	async placeholder(): Promise<Buffer> {
		return await readFile(PLACEHOLDER);
	}

	async close(): Promise<void> {
		const browser = await this.browser?.catch(() => undefined);
		await browser?.close();
	}

	private async start(executablePath: string): Promise<Browser> {
		return await (this.browser ??= launch(executablePath));
	}
}

async function launch(executablePath: string): Promise<Browser> {
	// Most sandboxes take no screenshots, and loading it takes half a second.
	const { chromium } = await import('playwright-core');
	// Chromium's sandbox refuses to run as root, as in most containers.
	const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'];
	return await chromium.launch({ executablePath, args });
}
