import { createHash, randomBytes, timingSafeEqual } from 'crypto';

/** The query parameter of the registered address that carries the secret. */
export const SECRET_PARAMETER = 'secret';

export const newSecret = () => randomBytes(24).toString('hex');

/** Whether what was sent is the secret, in a time that tells nothing about how much of it is right. */
export function isSecret(sent: unknown, secret: string): boolean {
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return typeof sent === 'string' && secret !== '' && timingSafeEqual(digest(sent), digest(secret));
}
