import { createHash, randomBytes, timingSafeEqual } from 'crypto';

/** The query parameter of the registered URL that contains the secret. */
export const SECRET_PARAMETER = 'secret';

export const newSecret = () => randomBytes(24).toString('hex');

/** Whether a value is the secret, compared in constant time. */
export function isSecret(value: unknown, secret: string): boolean {
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return (
		typeof value === 'string' && secret !== '' && timingSafeEqual(digest(value), digest(secret))
	);
}
