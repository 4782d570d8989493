import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { Maxun } from '../../nodes/Maxun/Maxun.node.ts';
import { MaxunTrigger } from '../../nodes/Maxun/MaxunTrigger.node.ts';

/*
 * Rules of n8n's linter that are newer than the version that this project can install. n8n's linter reads only the node
 * files' own text. These tests check the complete descriptions.
 */

const FOLDER = 'nodes/Maxun';

const NODES: Array<[file: string, description: INodeTypeDescription]> = [
	['Maxun', new Maxun().description],
	['MaxunTrigger', new MaxunTrigger().description],
];

/** All of a node's properties, including those in collections. */
const allOf = (properties: INodeProperties[]): INodeProperties[] =>
	properties.flatMap((property) => [
		property,
		...(property.options ?? []).flatMap((option) => {
			if ('values' in option) return allOf(option.values);
			return 'type' in option ? allOf([option]) : [];
		}),
	]);

/**
 * Optional fields at the top level. They set what an operation does: which data it returns, which robot or schedule
 * it is about, and what changes. n8n's own nodes also show these fields at the top level.
 */
const COMMON = new Set([
	// Selectors, like n8n's own.
	...['resource', 'operation', 'server', 'registration'],
	// Lists.
	...['returnAll', 'limit', 'robotIds', 'robotId', 'runId', 'previousRunId'],
	// What is returned.
	...['output', 'fields', 'format', 'formats', 'outputFormats'],
	// A robot's inputs. n8n shows a resource mapper only at the top level.
	'params',
	// When to return.
	'waitUntilReady',
	// A robot's schedule.
	...[
		'runEvery',
		'runEveryUnit',
		'startFrom',
		'dayOfMonth',
		'atTimeStart',
		'atTimeEnd',
		'timezone',
	],
	// The page of a robot built from a prompt.
	'url',
	// Whether the fields below or JSON describe a robot.
	'specifyFields',
	// Which of the lists on the page to read.
	'rowsToRead',
	// What identifies a page's row, which affects what counts as a change.
	'keyFields',
]);

describe.each(NODES)('%s', (file, { properties, icon }) => {
	it('has only supported categories (valid-node-categories)', () => {
		const codex = JSON.parse(readFileSync(join(FOLDER, `${file}.node.json`), 'utf8'));
		const supported = ['Data & Storage', 'Development', 'Productivity', 'Utility'];
		expect(codex.categories.length).toBeGreaterThan(0);
		expect(supported).toEqual(expect.arrayContaining(codex.categories));
		expect(codex.subcategories).toBeUndefined();
	});

	it('has short hints (hint-max-length)', () => {
		const hints = allOf(properties).flatMap(({ hint }) => hint ?? []);
		expect(hints.filter((hint) => hint.length > 120)).toEqual([]);
	});

	it('has no optional JSON field (open-ended-node-fields)', () => {
		const open = properties.filter(({ type, required }) => type === 'json' && !required);
		expect(open.map(({ name }) => name)).toEqual([]);
	});

	it('has an icon that is visible on both backgrounds (icon-contrast)', () => {
		if (typeof icon !== 'object') throw new Error('The icon has no variants');
		const contrast = (path: string, background: string) =>
			Math.max(...colorsOf(path).map((color) => ratio(color, background)));
		expect(contrast(icon.light, '#ffffff')).toBeGreaterThanOrEqual(1.5);
		expect(contrast(icon.dark, '#2b2b2b')).toBeGreaterThanOrEqual(1.5);
	});

	it('has optional fields in a collection, except common ones (non-required-fields-in-collection)', () => {
		const names = properties
			.filter(({ type, required }) => !required && !CONTAINERS.has(type))
			.map(({ name }) => name);
		expect([...new Set(names)].filter((name) => !COMMON.has(name)).sort()).toEqual([]);
	});
});

const CONTAINERS = new Set(['collection', 'fixedCollection', 'notice', 'hidden']);

it('the action node handles continueOnFail in its execute method (require-continue-on-fail)', () => {
	const source = ts.createSourceFile(
		'Maxun.node.ts',
		readFileSync(join(FOLDER, 'Maxun.node.ts'), 'utf8'),
		ts.ScriptTarget.Latest,
		true,
	);
	const calls: string[] = [];
	const visit = (node: ts.Node, method = ''): void => {
		if (ts.isCallExpression(node) && method === 'execute') calls.push(node.getText());
		const inside = ts.isMethodDeclaration(node) ? node.name.getText() : method;
		node.forEachChild((child) => visit(child, inside));
	};
	visit(source);
	expect(calls).toContain('this.continueOnFail()');
});

/** An SVG file's colors, as `#rrggbb`. */
function colorsOf(path: string): string[] {
	const file = join(FOLDER, path.replace('file:', ''));
	expect(existsSync(file)).toBe(true);
	const found = readFileSync(file, 'utf8').match(/#[0-9A-Fa-f]{3,6}\b/g) ?? [];
	return found.map((color) => (color.length === 4 ? color.replace(/[^#]/g, '$&$&') : color));
}

function ratio(one: string, other: string): number {
	const [dark = 0, light = 0] = [one, other].map(luminance).sort((a, b) => a - b);
	return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
	const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
		const channel = parseInt(color.slice(at, at + 2), 16) / 255;
		return channel <= 0.03928 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
