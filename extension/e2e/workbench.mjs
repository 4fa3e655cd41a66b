// The page of a workbench: the only place that knows class names of VS Code.
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import fs from 'node:fs';
import path from 'node:path';
import { pause } from './code-server.mjs';

const CHROMIUM = process.env.BSL_SCOUT_CHROMIUM || '/usr/bin/chromium';
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update'];
const PATIENCE = 30_000;

export class Workbench {
  /** Opens the folder of a code-server in a browser; `russian` makes the editor take extension texts in Russian. */
  static async open(server, { artifacts, russian = false } = {}) {
    const it = new Workbench();
    it.artifacts = artifacts;
    fs.mkdirSync(artifacts, { recursive: true });
    it.browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
    const context = await it.browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
    it.page = await context.newPage();
    it.page.setDefaultTimeout(PATIENCE);
    if (russian) {
      // there is no language pack for code-server; this is what one would set
      await it.page.addInitScript(() => Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => 'ru', set() {} }));
    }
    await it.page.addInitScript(watchStatus);
    await it.page.goto(server.url);
    await it.page.locator('.explorer-folders-view').waitFor({ timeout: 60_000 });
    return it;
  }

  /** Loads the window anew, as one that is opened again. */
  async reopen() {
    await this.page.reload();
    await this.page.locator('.explorer-folders-view').waitFor({ timeout: 60_000 });
  }

  async close() {
    await this.browser.close();
  }

  async screenshot(name) {
    await pause(300); // what fades has faded
    await this.page.screenshot({ path: path.join(this.artifacts, `${name}.png`) });
  }

  press(key) {
    return this.page.keyboard.press(key);
  }

  // --- quick input

  get quick() {
    return this.page.locator('.quick-input-widget:visible');
  }

  get input() {
    return this.quick.locator('.quick-input-box input');
  }

  /** Returns whether the open list has the focus. */
  held() {
    return this.input.evaluate(input => input === document.activeElement);
  }

  /** Returns the names that the rows begin with, in order. */
  names() {
    return this.rows().locator('.quick-input-list-row:first-child .label-name').allInnerTexts();
  }

  rows(text) {
    const rows = this.quick.locator('.quick-input-list .monaco-list-row');
    return text === undefined ? rows : rows.filter({ hasText: text });
  }

  /** Runs a command of the palette by its title. */
  async command(title) {
    const row = this.rows(title).first();
    // a palette opened too early does not know the commands of extensions, and is not told about them
    await until(async () => {
      await this.press('F1');
      await this.input.fill(`>${title}`);
      const found = await row.waitFor({ timeout: 3_000 }).then(() => true, () => false);
      if (!found) {
        await this.press('Escape');
        await this.closed();
      }
      return found;
    }, title);
    await row.click();
    await this.page.mouse.move(420, 790); // away from what shows tooltips
  }

  /** Types into the open list key by key, as a person does. */
  async type(text) {
    await this.input.pressSequentially(text, { delay: 25 });
  }

  /** Opens a file by its path in the folder. */
  async open(name, { text = true } = {}) {
    await this.press('Control+P');
    await this.input.fill(name);
    // most modules have the same name, so the folder tells them apart; files opened before may stand above it
    await this.rows(path.dirname(name)).first().waitFor();
    await this.rows(path.dirname(name)).first().click();
    await this.closed();
    await this.editor(name);
    if (text) {
      await this.focused();
    }
  }

  /** Waits until a text editor has the focus; after Escape in our list that is when all is put back. */
  async focused() {
    await this.page.locator('.editor-instance .monaco-editor.focused').waitFor();
  }

  /** Asks for a symbol of the workspace until so many rows have its name. */
  async symbol(name, count = 1) {
    await until(async () => {
      await this.press('Control+T');
      await this.input.fill(`#${name}`);
      const found = await this.rows(name).nth(count - 1).waitFor({ timeout: 3_000 }).then(() => true, () => false);
      if (!found) {
        await this.press('Escape');
        await this.closed();
      }
      return found;
    }, `${count} times ${name}`);
  }

  quickTitle() {
    return this.quick.locator('.quick-input-title').innerText();
  }

  /** Waits until the list has a title. */
  async titled(pattern) {
    await this.quick.locator('.quick-input-title').filter({ hasText: pattern }).waitFor();
  }

  async quickButton(label) {
    await this.quick.locator(`.quick-input-titlebar .action-label[aria-label="${label}"]`).click();
  }

  async rowButton(text, label) {
    const row = this.rows(text).first();
    await row.hover();
    await row.locator(`.action-label[aria-label="${label}"]`).click();
  }

  async closed() {
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  // --- editor

  /** Waits until a file is the active editor; its path in the folder tells modules apart. */
  async editor(name) {
    const group = '.editor-group-container.active';
    const label = this.page.locator(`${group} .tab.active .tab-label[aria-label*="/${name}"]`);
    // the label of a tab that a definition has opened has no path, the row above the text always has
    const crumbs = this.page.locator(`${group} .breadcrumbs-control`).filter({ hasText: name.replaceAll('/', '') });
    await label.or(crumbs).first().waitFor();
  }

  /** Saves the active editor. */
  async save() {
    await this.page.locator('.tab.active.dirty').waitFor();
    await this.press('Control+S');
    await this.page.locator('.tab.active:not(.dirty)').waitFor();
  }

  /** Returns the paths of the open tabs. */
  tabs() {
    return this.page.locator('.tab .tab-label').evaluateAll(tabs => tabs.map(tab => tab.getAttribute('aria-label')));
  }

  /** Returns the path of the active tab. */
  activeTab() {
    return this.page.locator('.editor-group-container.active .tab.active .tab-label').getAttribute('aria-label');
  }

  /** Waits until no list is open and these tabs are, and no others. */
  async restored(tabs) {
    await this.closed();
    await until(async () => JSON.stringify(await this.tabs()) === JSON.stringify(tabs), () => `the tabs ${tabs.join(', ')}`);
  }

  /** Puts a text at the end of the active editor, or where a key leads. */
  async append(text, key = 'Control+End') {
    await this.page.locator('.editor-group-container.active .editor-instance .monaco-editor').first().waitFor();
    await this.press(key);
    await this.page.keyboard.insertText(text);
  }

  /** Waits until the cursor is on a line. */
  async atLine(line) {
    await this.page.locator('.statusbar-item', { hasText: new RegExp(`^Ln ${line}, Col `) }).waitFor();
  }

  async goTo(line, column) {
    await this.press('Control+G');
    await this.input.fill(column === undefined ? `:${line}` : `:${line}:${column}`);
    await this.rows(`line ${line}`).first().click();
    await this.atLine(line);
  }

  /** Returns the text of the hover at the cursor. */
  async card() {
    const hover = this.page.locator('.monaco-editor .monaco-hover:not(.hidden) .hover-contents');
    // the first hover may come before the server knows of the document
    await until(async () => {
      await this.press('Control+K');
      await this.press('Control+I');
      return hover.first().waitFor({ timeout: 3_000 }).then(() => true, () => false);
    }, 'a hover');
    await pause(500);
    return (await hover.allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');
  }

  /** Waits until a lens with a text is on screen. */
  async lens(text) {
    await this.page.locator('.editor-group-container.active .codelens-decoration', { hasText: text }).first().waitFor();
  }

  /** Waits until a text is on screen in an editor. */
  async shows(text) {
    // the editor draws spaces as no-break spaces
    const pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '[\\s\\u00a0]'));
    await this.page.locator('.editor-instance .view-line', { hasText: pattern }).first().waitFor();
  }

  // --- around the editor

  statusBar() {
    return this.page.locator('.statusbar-item[id="bsl-scout.bsl-scout.bslScout.status"]');
  }

  /** Waits until the index is complete. */
  async indexed() {
    await this.status(/BSL Scout: [\d,\u00a0]+ (module|модул)/);
  }

  /** Waits until searches by meaning answer too: the item of the status bar tells so when one looks at it. */
  async meaning() {
    await this.statusBar().filter({ has: this.page.locator('a[aria-label*="meaning"], a[aria-label*="смыслу"]') }).waitFor();
  }

  /** Waits for a text in our item of the status bar. */
  async status(pattern, timeout = 300_000) {
    await this.statusBar().filter({ hasText: pattern }).waitFor({ timeout });
  }

  /** Returns every text that our status item and the progress beside it have shown, in order. */
  statusHistory() {
    return this.page.evaluate(() => globalThis.scoutStatus);
  }

  toasts(pattern) {
    return this.page.locator('.notifications-toasts .notification-list-item').filter({ hasText: pattern });
  }

  async notification(pattern, timeout) {
    const found = this.toasts(pattern).first();
    await found.waitFor({ timeout });
    return found;
  }

  /** Clicks a button of a notification. */
  async answer(notification, button) {
    await notification.locator('.monaco-button', { hasText: button }).click();
    await notification.waitFor({ state: 'hidden' });
  }

  /** Returns the content of a page of ours whose heading is this, once it is there. */
  async view(heading) {
    const page = this.page.frameLocator('iframe.webview').frameLocator('iframe#active-frame');
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    return page;
  }

  tree(text) {
    const rows = this.page.locator('.pane-body .monaco-list-row');
    return text === undefined ? rows : rows.filter({ hasText: text });
  }

  /** Returns the rows of the call hierarchy, in the editor or in its view. */
  calls(text) {
    return this.page.locator('.call-hierarchy .monaco-list-row, .pane-body .monaco-list-row').filter({ hasText: text });
  }

  /** Waits until the clipboard holds a text that begins so, and returns it. */
  async copiedFrom(start) {
    let held = '';
    await until(async () => (held = await this.clipboard()).startsWith(start), () => `a copy of ${start}, not ${held.slice(0, 200)}`);
    return held;
  }

  clipboard() {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** Empties the clipboard, so that what is copied next is told from what was. */
  async forget() {
    await this.page.evaluate(() => navigator.clipboard.writeText(''));
  }

  /** Waits until the clipboard holds a text. */
  async copied(text) {
    await this.copiedFrom(text);
    assert.equal(await this.clipboard(), text);
  }
}

/** Waits until a condition holds; `what` tells what was waited for in vain. */
export async function until(condition, what) {
  for (const end = Date.now() + PATIENCE; !(await condition()); await pause(100)) {
    if (Date.now() > end) {
      throw new Error(`waited in vain for ${typeof what === 'function' ? what() : what}`);
    }
  }
}

// runs in the page: an index of a small configuration is built faster than a test can look
function watchStatus() {
  globalThis.scoutStatus = [];
  new MutationObserver(() => {
    for (const item of document.querySelectorAll('.statusbar-item[id*="scout" i], .statusbar-item[id="status.progress"]')) {
      const text = item.textContent.trim();
      if (text && globalThis.scoutStatus.at(-1) !== text) {
        globalThis.scoutStatus.push(text);
      }
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}
