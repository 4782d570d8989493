import { describe, expect, test } from 'vitest';
import { unreachable } from '../../nodes/Maxun/core/address';

const PUBLIC_SERVICE = 'https://app.maxun.dev/api/v1';

describe('an address of n8n, for a service on the internet', () => {
	test.each([
		'https://n8n.example.com/webhook/a?secret=1',
		'http://n8n.example.com:5678/webhook/a',
		'https://203.0.113.7/webhook/a',
		'https://172.32.0.1/',
		'https://100.128.0.1/',
		'https://[2001:db8::1]/webhook/a',
		'https://10.example.com/',
		'https://localhost.example.com/',
	])('%s is reachable', (address) => {
		expect(unreachable(address, PUBLIC_SERVICE)).toBeUndefined();
	});

	test.each([
		'http://localhost:5678/webhook/a',
		'http://LOCALHOST/',
		'http://n8n.localhost/',
		'http://127.0.0.1:5678/',
		'http://127.1/',
		'http://0x7f000001/',
		'http://2130706433/',
		'http://0.0.0.0:5678/',
		'http://[::1]:5678/',
		'http://[::]:5678/',
		'http://[::ffff:127.0.0.1]/',
	])('%s is this machine', (address) => {
		expect(unreachable(address, PUBLIC_SERVICE)).toContain('this machine');
	});

	test.each([
		'http://10.0.0.4:5678/',
		'http://100.64.0.1/',
		'http://100.127.255.254/',
		'http://169.254.1.1/',
		'http://172.16.0.1/',
		'http://172.31.255.1/',
		'http://192.168.1.20:5678/',
		'http://[fd12:3456::1]/',
		'http://[fe80::1]/',
		'http://[::ffff:192.168.1.1]/',
		'http://n8n:5678/',
		'http://n8n.local/',
		'http://n8n.lan./',
		'http://n8n.internal/',
	])('%s is a private network', (address) => {
		expect(unreachable(address, PUBLIC_SERVICE)).toContain('private network');
	});

	test.each(['', 'n8n.example.com', '/webhook/a', 'ftp://n8n.example.com/', 'file:///webhook'])(
		"'%s' is no address that could be called",
		(address) => {
			expect(unreachable(address, PUBLIC_SERVICE)).toBeDefined();
		},
	);
});

test('a server of its own may reach a private network, but not this machine', () => {
	const server = 'https://maxun.example.com';
	expect(unreachable('http://10.0.0.5:5678/', server, 'selfHosted')).toBeUndefined();
	expect(unreachable('http://n8n:5678/', server, 'selfHosted')).toBeUndefined();
	expect(unreachable('http://localhost:5678/', server, 'selfHosted')).toContain('this machine');
});

test.each(['http://127.0.0.1:8787/api/v1', 'http://maxun:8080/api', 'http://192.168.1.5/api/v1'])(
	'a service at %s reaches its neighbours',
	(baseUrl) => {
		expect(unreachable('http://localhost:5678/webhook/a', baseUrl)).toBeUndefined();
		expect(unreachable('http://n8n:5678/webhook/a', baseUrl)).toBeUndefined();
		expect(unreachable('ftp://localhost/', baseUrl)).toBeDefined();
	},
);
