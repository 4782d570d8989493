import { expect, it } from 'vitest';
import { screenshotsOf } from '../../nodes/Maxun/results/screenshots';

it.each<[string, object, unknown[]]>([
	['are URLs', { screenshots: ['https://a/1.png'] }, ['https://a/1.png']],
	[
		'are objects',
		{ screenshots: [{ name: 'visible', url: 'https://a/1.png' }] },
		['https://a/1.png'],
	],
	['are none', { screenshots: [] }, []],
	['are null', { screenshots: null }, []],
	['have unknown forms', { screenshots: [5, null, '', { other: 1 }] }, []],
])("a run's screenshots are found if they %s", (_, fields, sources) => {
	const run = { id: 'r', status: 'success', robotName: 'Robot', ...fields };
	expect(screenshotsOf(run).map(({ source }) => source)).toEqual(sources);
});
