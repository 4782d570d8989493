import { readFileSync } from 'node:fs';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../nodes/Maxun/results/pageState';

const unreadReason = (row: IDataObject) => refusalOf(row)?.reason;

const [REFUSALS = [], MORE_REFUSALS = [], WALLS = [], WRITTEN = [], SHORT = []] = readFileSync(
	new URL('./pages.txt', import.meta.url),
	'utf8',
)
	.split(/^# .*\n/m)
	.slice(1)
	.map((list) => list.trim().split('\n'));

const row = (page: string) => {
	const [title = '', ...lines] = page.split('|');
	return { url: 'https://shop.example/', title, markdown: lines.join('\n\n') };
};

const SUBJECTS = 'robots captchas firewalls errors access bots cookies desks prices servers'.split(
	' ',
);
const TOPICS = [
	(of: string) =>
		`About ${of}|# About ${of}|We collect what readers want to know about ${of}. Today: three tips from our workshop.`,
	(of: string) => `${of} in stock|# 12 ${of}|Price: $49.00|Delivery within 3 days|Add to cart`,
	(of: string) =>
		`${of}: 404 Not Found|# Why ${of} lead to 404 Not Found|A link is old, or a page has moved. Our editors check all links about ${of} each month.`,
	(of: string) =>
		`FAQ ${of}|## Do you verify that customers are human?|Only if somebody orders ${of} very often. Then we ask for a phone number.`,
	(of: string) =>
		`Status of ${of}|${of}: operational|Last incident: 503 Service Unavailable, 12 minutes|Next maintenance: Sunday`,
	(of: string) =>
		`Zugriff auf ${of}|# Zugriff verweigert?|So richten Sie Rechte für ${of} ein: Öffnen Sie die Verwaltung und wählen Sie eine Gruppe.`,
	(of: string) => `|{"item":"${of}","price":12.5,"status":"available"}`,
	(of: string) => `${of} today|${of}|403|404|500|Total: 1307`,
	(of: string) =>
		`News|# "Access denied": ${of} at work|A study shows how often people meet ${of}. It asked 2,000 employees in nine countries.`,
];
const LONG = ` ${'The text goes on, and says more than an error page would. '.repeat(40)}`;
const generated = SUBJECTS.flatMap((of) => TOPICS.map((page) => page(of)));
const short = [...WRITTEN, ...generated];
const ordinary = [
	...short,
	...short.map((page) => page + LONG),
	...REFUSALS.map((page) => page + LONG),
	// Most sites show their menu and footer around a short text.
	...generated.map(
		(page) => `${page}|Home|Shop|Blog|Desks from $49|Chairs from $39|© Example Shop, Berlin`,
	),
	...generated.slice(0, 70).map((page) => page.toUpperCase()),
];

describe('a page that could not be read', () => {
	it.each([
		['60 error pages and bot checks', REFUSALS, 1],
		['30 less common ones', MORE_REFUSALS, 3],
		['146 walls', WALLS, 10],
	])('is recognized among %s', (_, pages, most) => {
		const missed = pages.filter((page) => unreadReason(row(page)) === undefined);
		expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(most);
	});

	it('is not recognized in 500 ordinary pages', () => {
		expect(ordinary).toHaveLength(500);
		expect(ordinary.filter((page) => unreadReason(row(page)) !== undefined)).toEqual([]);
	});

	it('is not recognized in ordinary short texts, with and without their title', () => {
		const texts = SHORT.flatMap((page) => [row(page), { ...row(page), title: undefined }]);
		const refused = texts.filter((page) => refusalOf(page) !== undefined);
		expect(refused.length, JSON.stringify(refused)).toBeLessThanOrEqual(2);
	});

	it.each([
		['a log-in box', 'Leave a comment|Email|Password|Continue with Facebook|No account? Register'],
		[
			'a cookie banner',
			'We use cookies to improve your visit.|Accept all|Settings|Shop|Price: $18',
		],
	])('is not %s, which other pages also have', (_, box) => {
		const recipe = 'Boil water, and add leek, potatoes and cream. Serve hot.';
		expect(refusalOf(row(`Spring soup|# Spring soup|${box}|${recipe}`))).toBeUndefined();
	});

	it('is not a cookie banner above a list of names', () => {
		const cities = Array.from({ length: 20 }, (_, at) => `Oslo ${at}`);
		const page = ['Cities|# Cities|We use cookies to improve your visit.|Accept all', ...cities];
		expect(refusalOf(row(page.join('|')))).toBeUndefined();
	});

	it.each([
		['blocked', 'Sorry, you have been blocked'],
		['browser', 'You need to enable JavaScript to run this app.'],
		['age', 'You must be 18 or older to enter this site.'],
		['challenge', 'Verify you are human by completing the action below.'],
		['challenge', 'Click the button below to continue shopping'],
		['consent', 'Please accept cookies to continue.\n\nAccept'],
		['log-in', 'Please log in to continue'],
		['not found', '404\n\nPage not found'],
		['queue', 'You are now in line'],
		['rate limit', 'Too many requests'],
		['region', 'This content is not available in your region'],
		['server error', '502 Bad Gateway'],
	])('has the kind %s', (kind, markdown) => {
		expect(refusalOf({ markdown })?.kind).toBe(kind);
	});

	it.each([
		[401, 'log-in'],
		[403, 'blocked'],
		[410, 'not found'],
		[429, 'rate limit'],
		[451, 'region'],
		[503, 'server error'],
		[999, 'blocked'],
	])('with the status %i has the kind %s', (statusCode, kind) => {
		expect(refusalOf({ markdown: 'Hello', metadata: { statusCode } })?.kind).toBe(kind);
	});

	it('with a status has the kind that its text shows', () => {
		const page = { markdown: 'Verifying you are human', metadata: { statusCode: 403 } };
		expect(refusalOf(page)).toEqual({ kind: 'challenge', reason: 'HTTP 403' });
	});

	const HTML = '<title>403 Forbidden</title><h1>403 Forbidden</h1><hr>nginx';
	const EMPTY = { url: 'https://a.example/', markdown: '', metadata: { statusCode: 200 } };

	it.each([
		['an error', { error: 'page.goto: Timeout\n    at a (b)', title: 'A' }, 'page.goto: Timeout'],
		['a status of the page', { markdown: 'Hello', metadata: { statusCode: '403' } }, 'HTTP 403'],
		['an error page as HTML', { html: HTML }, 'The page says: 403 Forbidden'],
		['nothing', EMPTY, undefined],
		['only a description', { title: '403 Forbidden', description: '403 Forbidden' }, undefined],
		['10 MB', { html: '<p>403 Forbidden</p>'.repeat(500_000) }, undefined],
	])('is recognized by %s', (_, page, reason) => {
		expect(unreadReason(page)).toBe(reason);
	});
});
