/** An http or https URL in its normal form; undefined for any other value. */
export function pageUrl(value: unknown): string | undefined {
	if (typeof value !== 'string' || !URL.canParse(value.trim())) return undefined;
	const url = new URL(value.trim());
	return /^https?:$/.test(url.protocol) ? url.href : undefined;
}
