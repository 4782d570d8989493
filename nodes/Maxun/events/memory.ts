import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod';
import { Claims } from './claims';
import { Failures } from './failures';
import { Ledger, SavedLedger } from './ledger';

const Saved = z.object({
	secret: z.string().catch(''),
	webhooks: z.record(z.string()).catch({}),
	ledger: SavedLedger.catch({ since: 0, from: {}, seen: {} }),
});

type TriggerContext = IHookFunctions | IWebhookFunctions;

/** How many catch-ups are allowed in one minute, whatever is delivered. */
const CATCH_UPS_PER_MINUTE = 12;

/** How many deliveries of one trigger are worked on side by side. */
const DELIVERIES_AT_ONCE = 10;

/**
 * What a trigger keeps about itself. n8n saves it with the workflow, a copy for each call, and the last one to write
 * wins; so this process keeps it too, and every copy that it writes holds all that it knows.
 */
export class Memory {
	/** Empty until the first activation. */
	secret = '';
	/** Our webhook's id by robot. */
	webhooks: Record<string, string> = {};
	readonly ledger = new Ledger();
	readonly claims = new Claims();
	readonly failures = new Failures();
	/**
	 * Whether this process registers the trigger. In queue mode another one takes the deliveries: of the robots it
	 * knows what was saved last, so that it never brings back those that are not watched any more.
	 */
	isRegistrar = false;
	/** Whether a sample delivery is due that only asks whether we are there. */
	isActivating = false;
	private catchUps: number[] = [];
	private underWay = 0;

	/** Takes in what is saved. */
	load(data: IDataObject): this {
		const { secret, webhooks, ledger } = Saved.parse(data);
		this.secret = secret || this.secret;
		this.webhooks = this.isRegistrar ? { ...webhooks, ...this.webhooks } : webhooks;
		if (!this.isRegistrar) this.ledger.watchOnly(Object.keys(ledger.from));
		this.ledger.merge(ledger);
		return this;
	}

	/** Writes what is known, if the saved data differs from it. */
	save(data: IDataObject): void {
		const { secret, webhooks } = this;
		const known: IDataObject = { secret, webhooks, ledger: this.ledger.toSaved() };
		for (const [key, value] of Object.entries(known)) {
			if (JSON.stringify(data[key]) !== JSON.stringify(value)) data[key] = value;
		}
	}

	/**
	 * Does work for a delivery, unless many are worked on already: after an outage hundreds come at once, and n8n would
	 * answer none of them in time.
	 *
	 * @returns undefined when it was too much
	 */
	async admit<T>(work: () => Promise<T>): Promise<T | undefined> {
		if (this.underWay >= DELIVERIES_AT_ONCE) return undefined;
		this.underWay++;
		return await work().finally(() => this.underWay--);
	}

	/** Whether another look at the robots' runs is due; it counts as made then. */
	mayCatchUp(): boolean {
		const now = Date.now();
		this.catchUps = this.catchUps.filter((time) => now - time < 60_000);
		if (this.catchUps.length >= CATCH_UPS_PER_MINUTE) return false;
		this.catchUps.push(now);
		return true;
	}
}

/** The memories of this process, by trigger; a rename does not change the key. */
const memories = new Map<string, Memory>();

const keyOf = (context: TriggerContext) =>
	[isTest(context), context.getWorkflow().id, context.getNode().id].join(' ');

/**
 * Whether this is a test in the editor, which has an address and data of its own.
 *
 * The mode does not tell in all hooks: to remove a test webhook n8n calls with the same one as for a production one.
 */
export const isTest = (context: TriggerContext) => !context.getWorkflow().active;

/** What the trigger of a context knows: what is saved, and what this process has learnt since. */
export function memoryOf(context: TriggerContext): Memory {
	const key = keyOf(context);
	const memory = memories.get(key) ?? new Memory();
	memories.set(key, memory);
	return memory.load(context.getWorkflowStaticData('node'));
}

/** Forgets what this process has learnt, as at the end of a test. */
export function forget(context: TriggerContext): void {
	memories.delete(keyOf(context));
}
