import type { IDataObject } from 'n8n-workflow';
import { isFinal } from '../../helpers/engine/execution-store.mts';
import { inGroups } from '../../helpers/parameters.mts';
import { newPage, recorded } from '../maxun/page.mts';
import { hasEnded } from '../maxun/service.mts';
import type { Exchange, Moment } from '../network.mts';
import { people } from '../n8n/nodeTypes.mts';
import { connect, newWorkflow, node } from '../n8n/workflows.mts';
import { KEYS, SENDER } from '../origins.mts';
import type { NodeCode } from '../process.mts';
import { CREDENTIALS, examplesFor, giveCredentials, locator, PAGES } from '../waiting/setup.mts';
import { WaitingWorld } from '../waiting/world.mts';
import type { Outcome } from '../worker.mts';
import type { Check, Edit, Form, Happening, History } from './history.mts';
import { Judge, type Checked, type Event } from './judge.mts';

const MINUTE = 60_000;
/** Each play has its own, because another play's execution may still be working. */
let plays = 0;

/** By then, processes have restarted, and runs without a waiting execution have ended. The longest check takes longer. */
const USUAL = 10 * MINUTE;
const LONGEST = 5 * 60 * MINUTE;

/** All pages have the same rows at first, such as the row of the examples. */
const SHOP = 'shop';
const keyOf = (page: number) => `p${page}`;

/** Nothing goes wrong. */
const LAST: Check = { gap: 60, mode: 'trigger', edits: [], refusal: null, happening: null };

export async function play(history: History, code: NodeCode): Promise<Outcome> {
	const world = new WaitingWorld(history, code);
	try {
		giveCredentials(world.n8n, KEYS.own);
		const story = new Story(world, history);
		for (const check of [...history.checks, LAST]) await story.check(check);
		const judge = new Judge(world, history, story.checks, story.events);
		judge.count('changes of pages', story.edits);
		const runs = world.maxun.past.runs.size;
		const { violations, counts } = judge;
		return { violations, longestTurn: world.clock.longestTurn, runs, trace: world.trace, counts };
	} finally {
		people.clear();
		for (const process of [world.n8n.main, ...world.n8n.workers]) process.kill();
		world.close();
	}
}

class Story {
	readonly checks = new Map<string, Checked>();
	readonly events: Event[] = [];
	edits = 0;
	/** The workflow. */
	private readonly id = `watch ${++plays}`;
	private form: Form = 'text';
	/** The design that the form was made for, and the robot. */
	private made = { design: 0, robotId: '' };
	private readonly left = new Set<number>();
	private happening: Happening | null = null;
	/** The number of the check's requests. */
	private requests = 0;

	constructor(
		private readonly world: WaitingWorld,
		private readonly history: History,
	) {
		const { maxun, network } = world;
		for (let page = 0; page < history.pages; page++) {
			maxun.pages.set(keyOf(page), newPage(SHOP));
			maxun.plans.set(keyOf(page), { seconds: 1, status: 'success', rows: 1 });
		}
		this.change(history.form);
		people.set(this.id, (id, items) => {
			this.events.push({ id, told: items.map(({ json }) => json) });
		});
		network.faultOf = () => {
			const number = this.requests++;
			const { fault, from, times } = { from: 0, times: 0, fault: undefined, ...this.happening };
			return from <= number && number < from + times ? fault : undefined;
		};
		network.observe = (exchange, moment) => this.observe(exchange, moment);
	}

	/** Starts an execution, and lets time pass until the next one. */
	async check(check: Check): Promise<void> {
		const { clock, n8n, maxun, trace } = this.world;
		const { executions } = n8n.database;
		const id = String(executions.all.length + 1);
		trace.push(`execution ${id}: ${JSON.stringify(check)}`);
		this.requests = 0;
		this.happening = check.happening;
		maxun.settings.mostRobots = undefined;
		if (check.happening) this.happen(check.happening);
		if (check.refusal) this.show(check.refusal.page, check.refusal.text);
		for (const edit of check.edits) clock.after(edit.after * 1000, () => this.edit(edit), null);
		const urls = Array.from(
			{ length: this.history.pages },
			(_, page) => PAGES + keyOf(page),
		).filter((_, page) => page === 0 || !this.left.has(page));
		n8n.workflows.set(this.id, this.workflow(urls));
		n8n.executions.start(this.id, [{}], check.mode);
		const began = clock.now;
		const next = began + check.gap * MINUTE;
		await clock.run(began + 1_000);
		const form = JSON.stringify([this.form, this.made]);
		if (executions.find(id)) this.checks.set(id, { ...check, urls, form });
		await clock.run(Math.min(next, began + USUAL));
		const isOver = () => executions.all.every(isFinal) && [...maxun.runs.values()].every(hasEnded);
		if (clock.now < next) await clock.run(began + LONGEST, isOver);
		clock.skip(Math.max(0, next - clock.now));
		if (check.refusal) this.show(check.refusal.page);
	}

	private observe({ request, number, fault, response }: Exchange, moment: Moment): void {
		const { world, happening } = this;
		const { n8n, maxun } = world;
		const id = request.headers[SENDER] ?? '';
		const what = `${request.method} ${request.url.pathname} ${fault ?? response?.status ?? ''}`;
		world.note(`execution ${id} #${number} ${moment}: ${what}`);
		if (moment === 'arrived' && ['PATCH', 'PUT'].includes(request.method)) {
			const body = JSON.stringify(request.body);
			const stored = [...maxun.runs.values()].find((run) => body.includes(` ${run.id}"`));
			if (stored) this.events.push({ id, stored });
		}
		if (!happening || !('kill' in happening)) return;
		if (this.requests - 1 !== happening.kill || moment !== happening.moment) return;
		world.note('n8n is killed');
		this.happening = null;
		n8n.kill([n8n.main, ...n8n.workers], happening.restartAfter * 1000);
	}

	private show(page: number, refusal?: string): void {
		const { pages } = this.world.maxun;
		const { rows } = pages.get(keyOf(page)) ?? {};
		if (rows) pages.set(keyOf(page), { rows, refusal });
	}

	/** The row of the examples stays. If all prices were equal, Automatically would leave them out. */
	private edit({ page, what, row, price }: Edit): void {
		const { pages } = this.world.maxun;
		const shown = pages.get(keyOf(page));
		const rows = [...(shown?.rows ?? [])];
		const at = row % rows.length;
		const old = rows[at];
		const isExample = old?.Name === newPage(SHOP).rows[1]?.Name;
		if (!old || (isExample && ['price', 'remove'].includes(what))) return;
		const Price = `$${price}.00`;
		if (what === 'price') rows[at] = { ...old, Price };
		else if (what === 'add') rows.splice(at, 0, { Name: `${SHOP} item ${this.edits}`, Price });
		else rows.push(...rows.splice(at, 1).slice(what === 'remove' ? 1 : 0));
		if (new Set(rows.map((one) => one.Price)).size < 2) return;
		this.edits++;
		this.world.note(`${keyOf(page)} shows ${JSON.stringify(rows)}`);
		pages.set(keyOf(page), { ...shown, rows });
	}

	private happen(what: Happening): void {
		const { maxun } = this.world;
		if ('redesign' in what) maxun.design++;
		else if ('form' in what) this.change(what.form);
		else if ('leave' in what) this.left.add(what.leave);
		else if ('join' in what) this.left.delete(what.join);
		else if ('fullPlan' in what) {
			maxun.settings.mostRobots = maxun.robots.size;
			// The node may make room.
			this.remove(PAGES);
		} else if ('robots' in what) {
			const key = keyOf(what.page);
			for (const robot of maxun.robots.values()) {
				if (robot.key !== key || robot.id === this.made.robotId) continue;
				if (what.robots === 'run') maxun.start(robot, key, 'dashboard');
				else if (what.robots === 'rename') robot.name = `Mine ${robot.id}`;
				else
					for (const run of maxun.runs.values())
						if (run.robotId === robot.id) maxun.end(run, 'aborted');
				if (what.robots === 'delete') maxun.deleteRobot(robot.id);
			}
			if (['delete', 'rename'].includes(what.robots)) this.remove(PAGES + key);
		}
	}

	private remove(page: string): void {
		this.events.push({ removed: page, before: this.world.n8n.database.executions.all.length + 1 });
	}

	private change(form: Form): void {
		const { maxun } = this.world;
		const { design } = maxun;
		const fields = { type: 'extract', key: keyOf(0), workflow: recorded(PAGES + keyOf(0), design) };
		this.form = form;
		const robotId = form === 'robot' ? maxun.createRobot(fields).id : '';
		this.made = { design: form === 'fields' ? design : 0, robotId };
	}

	private workflow(urls: string[]) {
		const { server, firstCheck, onFailure, repairs } = this.history;
		const { design, robotId } = this.made;
		const columns = {
			values: ['Name', 'Price'].map((name) => ({
				name,
				selector: `.${name.toLowerCase()}${design}`,
			})),
		};
		const list = { name: 'Rows', rowSelector: `li.row${design}`, pagination: 'none', columns };
		const keyFields = ['Name'];
		const forms: Record<Form, IDataObject> = {
			text: { what: 'text' },
			example: { specifyFields: 'example', examples: { values: examplesFor(SHOP) }, keyFields },
			automatic: { specifyFields: 'automatic' },
			fields: { specifyFields: 'fields', lists: { values: [list] }, keyFields },
			robot: { what: 'robot', robotId: locator(robotId), keyFields },
		};
		const repairSelectors = this.form === 'text' ? undefined : repairs;
		const given = {
			...{ server, resource: 'web', operation: 'getChanges', urls: urls.join('\n'), what: 'rows' },
			...{ ...forms[this.form], options: { firstCheck, onFailure, repairSelectors } },
		};
		// Slack also gets an item if nothing has changed.
		const more = { credentials: CREDENTIALS, alwaysOutputData: true };
		const maxun = node('Maxun', 'maxun', inGroups(JSON.parse(JSON.stringify(given))), more);
		const connections = connect({ Start: ['Maxun'], Maxun: ['Slack'] });
		const start = node('Start', 'start');
		return newWorkflow(this.id, start, [maxun, node('Slack', 'slack')], connections);
	}
}
