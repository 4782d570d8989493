import { sleep } from 'n8n-workflow';

/** How long a batch can delay the next one, in milliseconds. */
const LONGEST_DELAY = 1000;

/** Maximum number of inputs that are waiting or being processed. */
const MAX_INPUTS = 50;

interface Waiting<Input, Output> {
	input: Input;
	work: BatchWork<Input, Output>;
	resolve(output: Output): void;
	reject(reason: unknown): void;
}

/** Processes a batch. */
export type BatchWork<Input, Output> = (inputs: Input[]) => Promise<{
	/** An output for each input. */
	outputs: Output[];
	/** The next batch begins after this. */
	done: Promise<unknown>;
}>;

/** Collects inputs that arrive while earlier ones are being processed, and then processes them together. */
export class Batches<Input, Output> {
	private waiting: Array<Waiting<Input, Output>> = [];
	private isBusy = false;
	private count = 0;

	/**
	 * Adds an input to the next batch.
	 *
	 * @param work is called if the input is the first one of its batch
	 * @returns undefined if there are too many inputs
	 * @throws what the batch throws
	 */
	async add(input: Input, work: BatchWork<Input, Output>): Promise<Output | undefined> {
		if (this.count >= MAX_INPUTS) return undefined;
		this.count++;
		const output = new Promise<Output>((resolve, reject) => {
			this.waiting.push({ input, work, resolve, reject });
		});
		if (!this.isBusy) void this.processAll();
		return await output.finally(() => this.count--);
	}

	private async processAll(): Promise<void> {
		this.isBusy = true;
		while (this.waiting.length > 0) {
			await Promise.race([processBatch(this.waiting.splice(0)), sleep(LONGEST_DELAY)]);
		}
		this.isBusy = false;
	}
}

async function processBatch<Input, Output>(batch: Array<Waiting<Input, Output>>): Promise<void> {
	const [{ work }] = batch;
	try {
		const { outputs, done } = await work(batch.map(({ input }) => input));
		batch.forEach(({ resolve }, index) => resolve(outputs[index]));
		await done;
	} catch (error) {
		for (const { reject } of batch) reject(error);
	}
}
