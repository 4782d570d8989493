import { createHash, randomBytes, timingSafeEqual } from 'crypto';

/** The query parameter of the registered URL that contains the secret. */
export const SECRET_PARAMETER = 'secret';

export const newSecret = () => randomBytes(24).toString('hex');

/** Whether a value is the secret. The time it takes doesn't depend on how much of it is right. */
export function isSecret(value: unknown, secret: string): boolean {
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return (
		typeof value === 'string' && secret !== '' && timingSafeEqual(digest(value), digest(secret))
	);
}
