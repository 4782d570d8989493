declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	/** What n8n looks at in the source of a package, besides the published files. */
	export const SOURCE_FILE_PATTERNS: string[];
	/** Applies the rules of n8n's scan to the files of a folder; inline exceptions do not count. */
	export function analyzePackage(
		folder: string,
		filePatterns?: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}
