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

export function demandChromium(): string {
	const path = findChromium();
	if (path !== undefined) return path;
	throw new Error(`No Chromium was found. ${HOW_TO_GET_CHROMIUM}`);
}

export async function openBrowser(): Promise<Browser> {
	return await chromium.launch({ executablePath: demandChromium(), args: FLAGS });
}
