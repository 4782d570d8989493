/** How long an unused state is kept, in milliseconds. n8n doesn't report that a polling trigger was deleted. */
const KEPT_TIME = 24 * 60 * 60_000;

/** The states of triggers in this process, by workflow and node ID. So they survive a new node name. */
export class ProcessStates<T> {
	private readonly states = new Map<string, { state: T; usedAt: number }>();

	constructor(private readonly create: () => T) {}

	/** The state of a trigger, new if this process has none. */
	get(triggerKey: string): T {
		const now = Date.now();
		for (const [key, { usedAt }] of this.states) {
			if (now - usedAt > KEPT_TIME) this.states.delete(key);
		}
		const state = this.states.get(triggerKey)?.state ?? this.create();
		this.states.set(triggerKey, { state, usedAt: now });
		return state;
	}

	delete(triggerKey: string): void {
		this.states.delete(triggerKey);
	}
}
