import type { IDataObject, Workflow } from 'n8n-workflow';

/**
 * A node's static data as n8n's database holds it: every call gets a copy of the whole, and a changed
 * copy replaces the whole, without a merge.
 */
export class StaticData {
	private stored: string;

	/** How often something has been saved. */
	saves = 0;

	constructor(initial: IDataObject = {}) {
		this.stored = JSON.stringify(initial);
	}

	/** A fresh copy, as another process would read it. */
	load(): IDataObject {
		return JSON.parse(this.stored);
	}

	/** Stores what a call left behind, if it changed anything, as n8n does. */
	save({ staticData }: Workflow): void {
		// n8n marks a change on the observed object itself.
		if (staticData.__dataChanged !== true) return;
		this.stored = JSON.stringify(staticData);
		this.saves++;
	}

	/** Puts other data in its place, as a slower writer does. */
	replace(data: IDataObject): void {
		this.stored = JSON.stringify(data);
	}

	/** The same data after a restart of n8n: nothing but what was saved. */
	reloaded(): StaticData {
		return new StaticData(this.load());
	}

	/** The part of one node, for assertions. */
	ofNode(name = 'Maxun'): IDataObject {
		const part = this.load()[`node:${name}`];
		return isDataObject(part) ? part : {};
	}
}

const isDataObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
