import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const KEY = Buffer.alloc(32, 'sandbox');

/** Typed text as the server stores it: initialization vector and ciphertext in hexadecimal digits. */
export function encrypt(text: string): string {
	const vector = randomBytes(16);
	const cipher = createCipheriv('aes-256-cbc', KEY, vector);
	return `${vector.toString('hex')}:${cipher.update(text, 'utf8', 'hex')}${cipher.final('hex')}`;
}

export function decrypt(stored: string): string {
	const [vector = '', content = ''] = stored.split(':');
	const decipher = createDecipheriv('aes-256-cbc', KEY, Buffer.from(vector, 'hex'));
	return decipher.update(content, 'hex', 'utf8') + decipher.final('utf8');
}
