import { describe, expect, it } from 'vitest';
import { fakeServer } from './fakeServer.mts';

const PAGE = 'https://example.com/2';

/** Whether a server moves a robot whose workflow then opens these pages. */
async function isMoved(...visits: string[]): Promise<boolean | undefined> {
	const workflow = visits.map((url) => ({ where: {}, what: [{ action: 'goto', args: [url] }] }));
	const { robots } = await fakeServer('selfHosted', async ({ method, body }) => {
		expect({ method, body }).toEqual({ method: 'PUT', body: { meta: { url: PAGE } } });
		const recording_meta = { id: 'r1', url: PAGE };
		return { body: { data: { recording_meta, recording: { workflow } } } };
	});
	return await robots.setUrl?.('r1', PAGE);
}

describe('a robot on a self-hosted server moves to another page', () => {
	it('if its workflow opens that page', async () => {
		expect(await isMoved(PAGE)).toBe(true);
	});

	it('if it has no workflow, as a robot for one page', async () => {
		expect(await isMoved()).toBe(true);
	});

	it('but not if the server version leaves the workflow unchanged', async () => {
		expect(await isMoved('https://example.com/1')).toBe(false);
	});

	it('but not if the server changed several pages of its workflow', async () => {
		expect(await isMoved(PAGE, PAGE)).toBe(false);
	});
});
