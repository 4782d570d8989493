declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	/** The source files that n8n scans besides the published files. */
	export const SOURCE_FILE_PATTERNS: string[];
	/** Applies the rules of n8n's scan to a folder. Ignores inline exceptions. */
	export function analyzePackage(
		folder: string,
		filePatterns?: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}
