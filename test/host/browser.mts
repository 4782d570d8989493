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

/** The path of this machine's Chromium. @throws Error that says how to get one */
export function demandChromium(): string {
	const given = process.env.CHROMIUM_PATH;
	const folders = (process.env.PATH ?? '').split(delimiter);
	const commands = folders.flatMap((folder) => COMMANDS.map((name) => join(folder, name)));
	const places = given ? [given] : [...commands, ...APPLICATIONS];
	const found = places.find((path) => existsSync(path));
	if (found !== undefined) return found;
	const problem = given ? `CHROMIUM_PATH is ${given}, which is not there` : 'No Chromium was found';
	throw new Error(
		`${problem}. Install Chromium or Chrome (Debian: apt-get install chromium), or set CHROMIUM_PATH`,
	);
}

export async function openBrowser(): Promise<Browser> {
	return await chromium.launch({ executablePath: demandChromium(), args: FLAGS });
}
