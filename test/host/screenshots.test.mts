import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import { TestSandbox } from '../helpers/sandbox.mts';
import { runSchema } from '../sandbox/model.mts';

describe('the sandbox with a browser', () => {
	const sandbox = new TestSandbox();
	beforeAll(async () => await sandbox.start());
	afterAll(sandbox.stop);

	/** Reads a page whose products are higher than a screen. @returns the width and height of its screenshot in pixels */
	async function sizeOf(format: string): Promise<[width: number, height: number]> {
		const robotId = await newRobot(sandbox, { url: `${sandbox.siteUrl}/endless` });
		const run = await sandbox.owner.run(robotId, { formats: [format] });
		expect(run).toMatchObject({ status: 'success', error: null });
		const [address] = runSchema.shape.screenshots.parse(run.screenshots);
		const image = await fetch(String(address));
		expect(image.headers.get('content-type')).toBe('image/png');
		const bytes = Buffer.from(await image.arrayBuffer());
		expect(bytes.subarray(1, 4).toString()).toBe('PNG');
		return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
	}

	it('a run takes a screenshot of the visible part of the page', async () => {
		expect(await sizeOf('screenshot-visible')).toEqual([1280, 720]);
	});

	it('a run takes a screenshot of the full page', async () => {
		const [width, height] = await sizeOf('screenshot-fullpage');
		expect(width).toBe(1280);
		expect(height).toBeGreaterThan(720);
	});
});
