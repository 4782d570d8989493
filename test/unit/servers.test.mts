import { describe, expect, it } from 'vitest';
import { n8n } from '../../package.json';
import { Maxun } from '../../nodes/Maxun/Maxun.node';
import { MaxunTrigger } from '../../nodes/Maxun/MaxunTrigger.node';
import { onlyWith, serverField } from '../../nodes/Maxun/fields/server';
import { kindsThatHave, SERVER_KINDS, serverKindOf, SERVERS } from '../../nodes/Maxun/servers';

/** One for each kind, in the same order. n8n's linter requires one at a time. */
const credentials = SERVER_KINDS.map((kind) => ({
	name: SERVERS[kind].protocol.credential.name,
	required: true,
	testedBy: kind,
	displayOptions: { show: { server: [kind] } },
}));

describe('kinds of server', () => {
	it('each kind is in the form and has its own credential', () => {
		expect(serverField.options?.map((option) => 'value' in option && option.value)).toEqual(
			SERVER_KINDS,
		);
		expect(new Set(credentials.map(({ name }) => name)).size).toBe(SERVER_KINDS.length);
		for (const { description } of [new Maxun(), new MaxunTrigger()]) {
			expect(description.credentials?.filter(({ required }) => required)).toEqual(credentials);
			expect(description.credentials?.every(({ displayOptions }) => displayOptions?.show)).toBe(
				true,
			);
		}
		const files = credentials.map(({ name }) => `${name[0]?.toUpperCase()}${name.slice(1)}`);
		expect(n8n.credentials).toEqual(
			expect.arrayContaining(files.map((name) => `dist/credentials/${name}.credentials.js`)),
		);
	});

	it('a missing parameter means the default, and an unknown parameter is never taken for it', () => {
		expect(serverKindOf(undefined)).toBe(serverField.default);
		expect(() => serverKindOf('another')).toThrow("This node version has no server 'another'");
		expect(() => serverKindOf('toString')).toThrow('no server');
	});

	it('fields and operations depend on what each kind has', () => {
		const { displayOptions } = onlyWith('oneAtATime', { ...serverField, name: 'x' });
		expect(displayOptions?.show?.server).toContain('selfHosted');
		expect(displayOptions?.show?.server).not.toContain('cloud');
		const withUsage = kindsThatHave(({ account }) => account?.getUsage);
		expect(withUsage).toContain('cloud');
		expect(withUsage).not.toContain('selfHosted');
	});
});
