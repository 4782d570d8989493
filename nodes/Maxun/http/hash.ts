import { createHash } from 'crypto';

/** The beginning of a text's SHA-256 hash. Hashes are stored, so a use keeps its length and encoding. */
export const hashOf = (text: string, length: number, encoding: 'base64url' | 'hex' = 'hex') =>
	createHash('sha256').update(text).digest(encoding).slice(0, length);
