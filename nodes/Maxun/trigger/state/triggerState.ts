import { z } from 'zod';
import { SavedSecrets, Secrets } from '../secret';
import type { TriggerNode } from '../triggerNode';
import { Claims } from './claims';
import { Failures, SavedFailures } from './failures';
import { Ledger, SavedLedger } from './ledger';
import { ProcessStates } from './processStates';
import { readState, saveState, savedRecord, type StateStore } from './staticData';

const SavedState = z.object({
	secrets: SavedSecrets,
	webhooks: savedRecord(z.string()),
	ledger: SavedLedger,
	failures: SavedFailures,
});

const readSaved = (store: StateStore) => SavedState.parse(readState(store).saved);

/** Maximum number of catch-ups per minute, regardless of deliveries. */
const CATCH_UPS_PER_MINUTE = 12;

/** Maximum number of unknown runs that deliveries make the trigger read, per minute. */
const UNKNOWN_RUNS_PER_MINUTE = 30;

const MINUTE = 60_000;

const ofLastMinute = (times: number[]) => times.filter((time) => Date.now() - time < MINUTE);

/**
 * The state of a webhook trigger. n8n saves it with the workflow: each call gets a copy, and the last write wins. So
 * this process also keeps the state, and always writes all of it.
 */
export class TriggerState {
	readonly secrets = new Secrets();
	/** The ID of the trigger's webhook, by robot. */
	webhooks: Record<string, string> = {};
	readonly ledger = new Ledger();
	readonly claims = new Claims();
	readonly failures = new Failures();
	/**
	 * Whether this process registers the trigger. It knows the robots. In queue mode, another process receives the
	 * deliveries. That process only uses the saved robots, so that it never restores one that is no longer watched.
	 */
	isRegistrar = false;
	/** Whether the next sample event only checks that Maxun reaches n8n. */
	isActivating = false;
	/** Whether a delivery has reached this process since the trigger was registered. */
	isReached = false;
	private catchUps: number[] = [];
	private unknownRuns: number[] = [];

	/** Adds the saved state. */
	load(store: StateStore): this {
		const { secrets, webhooks, ledger, failures } = readSaved(store);
		// Another process has registered the trigger since.
		if (this.secrets.areOlderThan(secrets)) this.isRegistrar = false;
		this.secrets.merge(secrets);
		// A delivery that arrives during registration brings the data of before.
		const robotIds = this.isRegistrar ? this.ledger.robotIds : Object.keys(ledger.from);
		if (!this.isRegistrar) this.webhooks = webhooks;
		this.ledger.merge(ledger);
		this.ledger.watchOnly(robotIds);
		this.failures.merge(failures);
		// Another process may have processed them since.
		this.failures.keepIf((mark) => !this.ledger.hasMark(mark));
		return this;
	}

	/** Makes this process register the trigger, which another one may have done since this one did. */
	becomeRegistrar(store: StateStore): void {
		const { webhooks, ledger } = readSaved(store);
		this.webhooks = { ...webhooks, ...this.webhooks };
		this.ledger.merge(ledger);
		this.isRegistrar = true;
	}

	save(store: StateStore): void {
		const { secrets, webhooks, ledger, failures } = this;
		saveState(store, {
			secrets: secrets.toSaved(),
			webhooks,
			ledger: ledger.toSaved(),
			failures: failures.toSaved(),
		});
	}

	/** Whether another catch-up is allowed now. If so, counts it. */
	mayCatchUp(): boolean {
		if (this.catchUpDelay() > 0) return false;
		this.catchUps.push(Date.now());
		return true;
	}

	/** Milliseconds until another catch-up is allowed. */
	catchUpDelay(): number {
		this.catchUps = ofLastMinute(this.catchUps);
		const [first] = this.catchUps;
		return this.catchUps.length < CATCH_UPS_PER_MINUTE ? 0 : first + MINUTE - Date.now();
	}

	/** Counts a delivery that names an unknown run. */
	noteUnknownRun(): void {
		this.unknownRuns.push(Date.now());
	}

	/** Whether a delivery's run may be read, which costs requests even if the delivery is forged. */
	mayReadNamed(): boolean {
		this.unknownRuns = ofLastMinute(this.unknownRuns);
		return this.unknownRuns.length < UNKNOWN_RUNS_PER_MINUTE;
	}
}

const states = new ProcessStates(() => new TriggerState());

/** The state of a trigger: the saved state, merged with later changes of this process. */
export const loadState = (trigger: TriggerNode): TriggerState =>
	states.get(trigger.key).load(trigger);

/** Deletes the state in this process, when the trigger is removed. */
export const forgetState = (triggerKey: string): void => states.delete(triggerKey);
