import { afterAll, beforeAll } from 'vitest';
import { openStage, type Stage, type StageOptions } from './stage.mts';

/** A stage for one test file. It has its fields when the tests run. */
export function useStage(options?: StageOptions): Stage {
	const stage: Stage = Object.create(null);
	beforeAll(async () => void Object.assign(stage, await openStage(options)));
	afterAll(async () => await stage.close?.());
	return stage;
}
