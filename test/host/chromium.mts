import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const APPLICATIONS = [
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

export const HOW_TO_GET_CHROMIUM =
	'Install Chromium or Chrome (Debian: apt-get install chromium), or set CHROMIUM_PATH';

/** The path of this machine's Chromium: */
export function findChromium(): string | undefined {
	const given = process.env.CHROMIUM_PATH;
	if (given) {
		if (existsSync(given)) return given;
		throw new Error(`CHROMIUM_PATH names ${given}, which is not there`);
	}
	const folders = (process.env.PATH ?? '').split(delimiter);
	const commands = folders.flatMap((folder) => COMMANDS.map((name) => join(folder, name)));
	return [...commands, ...APPLICATIONS].find((path) => existsSync(path));
}
