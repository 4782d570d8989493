import { locator } from '../../helpers/parameters.mts';
import { expectFields, expectThat } from '../check.mts';
import { contractCase, type Case } from '../contract.mts';

const resource = 'monitoring';

export const monitoringCases: Case[] = [
	contractCase(resource, 'update', async (on) => {
		const robotId = locator(await on.scrapeRobot());
		const updateFields = { compareRuns: true };
		expectFields(await on.one(resource, 'update', { robotId, updateFields }), updateFields);
	}),
	contractCase(resource, 'get', async (on) => {
		const robotId = locator(await on.scrapeRobot());
		expectFields(await on.one(resource, 'get', { robotId }), { compareRuns: true });
	}),
	contractCase(resource, 'getDiff', async (on) => {
		const ids = {
			robotId: locator(await on.scrapeRobot()),
			runId: locator(await on.finishedRun()),
		};
		const diff = await on.one(resource, 'getDiff', ids);
		expectThat(Array.isArray(diff.diffs), 'the differences are missing');
	}),
];
