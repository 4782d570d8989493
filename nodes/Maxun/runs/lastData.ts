import { MaxunFault } from '../http/fault';
import { lastGoodRun } from '../results/goodRun';
import { resultItems } from '../results/outcome';
import type { Item, RunOutput, RunReader } from '../results/types';

/** The data of a robot's last completed run, for a test in the editor. */
export async function itemsOfLastRun(
	reader: RunReader,
	robotId: string,
	output: RunOutput,
): Promise<Item[]> {
	const captured = await lastGoodRun(reader.maxun, robotId);
	if (!captured) {
		throw new MaxunFault(
			`Robot ${robotId} has no completed run with data`,
			"To start a run, turn off 'Use Last Run When Testing'",
		);
	}
	const { id } = captured.run;
	reader.hint(`This is the data of run ${id}. Production executions start a new run instead`);
	return (await resultItems(reader, captured, output)).items;
}
