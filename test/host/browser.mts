import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/**
 * This machine's Chromium: `CHROMIUM_PATH`, or the usual system paths.
 * @throws Error that says how to install one
 */
export function findChromium(): string {
	const given = process.env.CHROMIUM_PATH;
	const path = given ?? PLACES.find((place) => existsSync(place));
	if (path !== undefined && existsSync(path)) return path;
	throw new Error(
		given === undefined
			? 'No Chromium was found. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH'
			: `CHROMIUM_PATH names ${given}, which is not there`,
	);
}

/** Starts a headless Chromium. */
export async function openBrowser(): Promise<Browser> {
	return await chromium.launch({ executablePath: findChromium(), args: FLAGS });
}
