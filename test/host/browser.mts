import { type Browser, chromium } from 'playwright-core';
import { findChromium, HOW_TO_GET_CHROMIUM } from './chromium.mts';

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
 * The path of this machine's Chromium.
 * @throws Error that says how to install one
 */
export function demandChromium(): string {
	const path = findChromium();
	if (path !== undefined) return path;
	throw new Error(`No Chromium was found. ${HOW_TO_GET_CHROMIUM}`);
}

export async function openBrowser(): Promise<Browser> {
	return await chromium.launch({ executablePath: demandChromium(), args: FLAGS });
}
