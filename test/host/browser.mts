import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const APPLICATIONS = [
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

/** The path of this machine's Chromium, or how to get Chromium. */
export function findChromium(): { path: string } | { problem: string } {
	const given = process.env.CHROMIUM_PATH;
	const folders = (process.env.PATH ?? '').split(delimiter);
	const commands = folders.flatMap((folder) => COMMANDS.map((name) => join(folder, name)));
	const places = given ? [given] : [...commands, ...APPLICATIONS];
	const path = places.find((place) => existsSync(place));
	if (path !== undefined) return { path };
	const problem = given ? `CHROMIUM_PATH is ${given}, which is not there` : 'No Chromium was found';
	const advice =
		'Install Chromium or Chrome (Debian: apt-get install chromium), or set CHROMIUM_PATH';
	return { problem: `${problem}. ${advice}` };
}

export async function openBrowser(): Promise<Browser> {
	const found = findChromium();
	if ('problem' in found) throw new Error(found.problem);
	return await chromium.launch({ executablePath: found.path, args: FLAGS });
}
