import { describe, expect, it } from 'vitest';
import { unreachable } from '../../nodes/Maxun/http/reachability';

const HOSTED_SERVICE = { baseUrl: 'https://app.maxun.dev/api/v1', isNearby: false };

describe('a service on the internet', () => {
	it.each([
		'https://n8n.example.com/webhook/a?secret=1',
		'http://n8n.example.com:5678/webhook/a',
		'https://203.0.113.7/webhook/a',
		'https://172.32.0.1/',
		'https://100.128.0.1/',
		'https://[2001:db8::1]/webhook/a',
		'https://10.example.com/',
		'https://localhost.example.com/',
	])('reaches %s', (url) => {
		expect(unreachable(url, HOSTED_SERVICE)).toBeUndefined();
	});

	it.each([
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
	])('does not reach %s, which is only reachable on its own machine', (url) => {
		expect(unreachable(url, HOSTED_SERVICE)).toContain('this machine');
	});

	it.each([
		'http://10.0.0.4:5678/',
		'http://100.64.0.1/',
		'http://100.127.255.254/',
		'http://169.254.1.1/',
		'http://172.16.0.1/',
		'http://172.31.255.1/',
		'http://192.168.1.20:5678/',
		'http://[fd12:3456::1]/',
		'http://[fe80::1]/',
		'http://n8n:5678/',
		'http://n8n.local/',
		'http://n8n.lan./',
		'http://n8n.internal/',
	])('does not reach %s, which is in a private network', (url) => {
		expect(unreachable(url, HOSTED_SERVICE)).toContain('private network');
	});

	it.each(['', 'n8n.example.com', '/webhook/a', 'ftp://n8n.example.com/', 'file:///webhook'])(
		"does not reach '%s', which is not an HTTP URL",
		(url) => {
			expect(unreachable(url, HOSTED_SERVICE)).toBeDefined();
		},
	);
});

it("a self-hosted server with a public name may reach a private network, but not this n8n instance's machine by its local name", () => {
	const server = { baseUrl: 'https://maxun.example.com', isNearby: true };
	expect(unreachable('http://10.0.0.5:5678/', server)).toBeUndefined();
	expect(unreachable('http://n8n:5678/', server)).toBeUndefined();
	expect(unreachable('http://localhost:5678/', server)).toContain('this machine');
});

it.each(['http://127.0.0.1:8787/api/v1', 'http://maxun:8080/api', 'http://192.168.1.5/api/v1'])(
	'a server in a private network or on this machine at %s reaches its neighbors over HTTP',
	(baseUrl) => {
		const server = { baseUrl, isNearby: false };
		expect(unreachable('http://localhost:5678/webhook/a', server)).toBeUndefined();
		expect(unreachable('http://n8n:5678/webhook/a', server)).toBeUndefined();
		expect(unreachable('ftp://localhost/', server)).toBeDefined();
	},
);
