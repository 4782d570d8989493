import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type Locator, type Page, selectors } from 'playwright-core';
import { openBrowser } from './browser.mts';
import { PROJECT } from './files.mts';
import { selectedRelease } from './releases.mts';
import type { Login } from './rest.mts';

const SCREENSHOTS = join(PROJECT, 'test', 'results', 'screenshots', selectedRelease().n8n);
const SIZE = { width: 1440, height: 900 };
const PATIENCE_MS = 30_000;
const SETTLE_MS = 600;

/** n8n's editor in a browser: user actions, by visible names. */
export class Editor {
	private constructor(
		private readonly browser: Browser,
		readonly page: Page,
		private readonly url: string,
	) {}

	static async open(url: string, { email, password }: Login): Promise<Editor> {
		selectors.setTestIdAttribute('data-test-id');
		const browser = await openBrowser();
		const page = await browser.newPage({ viewport: SIZE });
		page.setDefaultTimeout(PATIENCE_MS);
		await page.goto(`${url}/signin`);
		await page.locator('input[name=emailOrLdapLoginId]').fill(email);
		await page.locator('input[name=password]').fill(password);
		await page.getByTestId('form-submit-button').click();
		await page.waitForURL(/\/(home|projects|workflow)/);
		return new Editor(browser, page, url);
	}

	async close(): Promise<void> {
		await this.browser.close();
	}

	/** Saves a screenshot under `test/results/screenshots/<n8n version>`. */
	async shoot(name: string): Promise<void> {
		await mkdir(SCREENSHOTS, { recursive: true });
		await this.page.waitForTimeout(SETTLE_MS);
		await this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
	}

	async openNewWorkflow(): Promise<void> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.page.getByTestId('canvas-add-button').waitFor();
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.node(/./).first().waitFor();
	}

	async openExecutions(id: string): Promise<Locator> {
		await this.page.goto(`${this.url}/workflow/${id}/executions`);
		return this.page
			.getByTestId('current-executions-list')
			.locator('[data-test-id^=execution-details-]');
	}

	async openExecution(workflowId: string, executionId: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${workflowId}/executions/${executionId}`);
		await this.node(/./).first().waitFor();
	}

	async searchNodes(text: string): Promise<Locator> {
		await this.page.getByTestId('node-creator-plus-button').first().click();
		await this.page.getByTestId('node-creator-search-bar').fill(text);
		return this.page.getByTestId('node-creator-item-name');
	}

	/** Shows the Maxun node's actions and triggers in the panel, in a new workflow. */
	async openMaxun(): Promise<void> {
		await this.openNewWorkflow();
		const found = await this.searchNodes('maxun');
		await found.getByText('Maxun', { exact: true }).click();
		await this.unfoldActions();
	}

	/** In the panel's details about a node: expands its actions. */
	async unfoldActions(): Promise<void> {
		const categories = this.page.getByTestId('node-creator-category-item');
		await categories.filter({ hasText: 'Actions' }).click();
	}

	/** In the panel's details about a node: adds the action to the canvas, which opens the node. */
	async addAction(name: string): Promise<void> {
		await this.page.getByTestId('node-creator-item-name').getByText(name, { exact: true }).click();
		await this.page.getByTestId('ndv').waitFor();
		await this.dismissTip();
	}

	/** Adds a node after the last node, and opens it. @param action one of its actions, if it has several */
	async addNext(name: string, action?: string): Promise<void> {
		const { page } = this;
		await page.getByTestId('canvas-handle-plus').last().click();
		await page.getByTestId('node-creator-search-bar').fill(name);
		for (const entry of [name, ...(action === undefined ? [] : [action])]) {
			await page.getByTestId('node-creator-item-name').getByText(entry).first().click();
		}
		await page.getByTestId('ndv').waitFor();
	}

	node(name: string | RegExp): Locator {
		return this.page
			.locator('[data-test-id=canvas-node], [data-test-id=canvas-trigger-node]')
			.filter({ hasText: name });
	}

	async openNode(name: string): Promise<void> {
		await this.node(name).first().dblclick();
		await this.page.getByTestId('ndv').waitFor();
		await this.dismissTip();
	}

	async closeNode(): Promise<void> {
		// Older versions have another ID for the button.
		const ids = ['ndv-close-button', 'back-to-canvas'];
		await this.page
			.locator(ids.map((id) => `[data-test-id=${id}]`).join())
			.first()
			.click();
	}

	/** In the open node: a parameter's field. */
	field(parameter: string): Locator {
		return this.page.getByTestId(`parameter-input-${parameter}`);
	}

	/** In the open node: selects an entry of a drop-down field, by the start of its name. */
	async choose(parameter: string, option: string | RegExp): Promise<void> {
		await this.field(parameter).click();
		await this.page.getByRole('option', { name: option, exact: true }).click();
	}

	/** In the open node: like `choose`, for the last entry in a list of fields. */
	async chooseIn(list: Locator, parameter: string, option: string): Promise<void> {
		await list.getByTestId(`parameter-input-${parameter}`).last().click();
		await this.page.getByRole('option', { name: new RegExp(`^${option}`) }).click();
	}

	/** In the open node: enters text. @param list the list of fields; the text goes into its last entry */
	async fill(parameter: string, text: string, list?: Locator): Promise<void> {
		const scope = list ?? this.page;
		const field = scope.getByTestId(`parameter-input-${parameter}`).last();
		await field.locator('input, textarea').fill(text);
	}

	async addEntry(name: string): Promise<void> {
		await this.page
			.getByRole('button', { name: `Add ${name}`, exact: true })
			.last()
			.click();
	}

	async options(parameter: string): Promise<string[]> {
		return await this.namesIn(this.field(parameter));
	}

	/** In the open node: the options that a user can add to the last list of options. */
	async optionalFields(): Promise<string[]> {
		return await this.namesIn(this.page.getByTestId('collection-parameter-add').last());
	}

	async credentials(): Promise<string[]> {
		return await this.namesIn(this.credentialList);
	}

	async credential(): Promise<string> {
		return await this.credentialList.getByRole('combobox').inputValue();
	}

	async chooseCredential(name: string): Promise<void> {
		const entries = await this.unfoldList(this.credentialList);
		await entries.filter({ hasText: name }).click();
	}

	/**
	 * In the open node: creates a credential for a server type. n8n closes the dialog if its test succeeds.
	 * @param server the dialog's name for the type
	 * @param values by the credential's field names
	 */
	async createCredential(server: string, values: Record<string, string>): Promise<void> {
		await this.unfoldList(this.credentialList);
		await this.page.getByTestId('node-credentials-select-item-new').click();
		const dialog = this.page.getByTestId('editCredential-modal');
		await dialog.getByTestId('credential-mode-dropdown-trigger').click();
		await this.page.getByRole('menuitem', { name: server, exact: true }).click();
		for (const [name, value] of Object.entries(values)) {
			await dialog.getByTestId(`parameter-input-${name}`).locator('input').fill(value);
		}
		await dialog.getByTestId('credential-save-button').click();
		await dialog.waitFor({ state: 'hidden' });
	}

	private get credentialList(): Locator {
		return this.page.getByTestId('node-credentials-select').locator('.el-select');
	}

	private async namesIn(list: Locator): Promise<string[]> {
		const entries = await this.unfoldList(list);
		const texts = await entries.allInnerTexts();
		await list.click();
		await entries.first().waitFor({ state: 'hidden' });
		return texts.map((text) => text.split('\n')[0] ?? '');
	}

	/** Opens a list of entries. The first click may only select the node, which closes the list. */
	private async unfoldList(list: Locator): Promise<Locator> {
		const entries = this.page.getByRole('option');
		for (let attempt = 0; attempt < 3; attempt++) {
			await list.click();
			await this.page.waitForTimeout(SETTLE_MS);
			if (await entries.first().isVisible()) return entries;
		}
		throw new Error('The list does not unfold');
	}

	async searchList(parameter: string, text: string): Promise<Locator> {
		await this.field(parameter).getByTestId('rlc-input').click();
		// Otherwise, older versions show the complete list when it arrives.
		await this.page.getByTestId('rlc-item').first().waitFor();
		await this.page.getByTestId('rlc-search').fill(text);
		return this.page.getByTestId('rlc-item');
	}

	async execute(): Promise<Locator> {
		await this.page.getByTestId('node-execute-button').click();
		const output = this.page.getByTestId('output-panel');
		await output.getByTestId('ndv-items-count').waitFor({ timeout: 60_000 });
		return output;
	}

	get input(): Locator {
		return this.page.getByTestId('ndv-input-panel').or(this.page.getByTestId('input-panel'));
	}

	async showOutputAs(form: 'Schema' | 'Table' | 'JSON'): Promise<void> {
		const output = this.page.getByTestId('output-panel');
		await output.getByTestId(`radio-button-${form.toLowerCase()}`).click();
	}

	async publish(): Promise<void> {
		await this.page.getByTestId('workflow-open-publish-modal-button').click();
		await this.page.getByTestId('workflow-publish-button').click();
		await this.page.getByTestId('activation-modal').getByRole('button', { name: 'Got it' }).click();
	}

	/** New users get a tip that covers part of the node. */
	private async dismissTip(): Promise<void> {
		const button = this.page.getByRole('button', { name: 'Got it' });
		await button.click({ timeout: 1500 }).catch(() => undefined);
	}
}
