/** One workbench window, handled as a person handles it: palette, keys, tabs, notifications, webviews. */
import { mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Frame, Locator, Page } from 'playwright-core';
import * as z from 'zod';
import { until } from '../support/until.ts';

const patience = 120_000;

/** Whether it is there within two seconds. */
const comes = (what: Locator): Promise<boolean> =>
  what.waitFor({ timeout: 2000 }).then(
    () => true,
    () => false,
  );

/** The part of the window that a test inside the extension host sends keys to. */
export type Part = 'tree' | 'quick input';

export class Window {
  readonly page: Page;
  /** VS Code's own word that a suite is over, or that a development window's extension host died. */
  readonly exited: Promise<number>;
  #exit: (code: number) => void = () => undefined;

  constructor(page: Page) {
    this.page = page;
    this.exited = new Promise((resolve) => {
      this.#exit = resolve;
    });
  }

  /** Must come before the page loads. */
  async expectExit(): Promise<void> {
    await this.page.exposeFunction('codeAutomationExit', (code: number) => this.#exit(code));
    await this.page.exposeFunction('codeAutomationLog', () => undefined);
  }

  /** Laid out and coloured. */
  async ready(): Promise<void> {
    await this.page.locator('.monaco-workbench[class*="vscode-theme-"] .statusbar').waitFor({ timeout: patience });
  }

  /** The editor's own reload: it writes down what is open first, which a page's reload may be too early for. */
  async reload(): Promise<void> {
    await Promise.all([this.page.waitForEvent('domcontentloaded'), this.command('Developer: Reload Window')]);
    await this.ready();
  }

  /**
   * Opens the quick input with a key, types, takes the row. The palette lists what is registered at the moment of
   * typing, so it types again until the row is there.
   */
  async pick(key: string, text: string, row = text): Promise<void> {
    const box = this.page.locator('.quick-input-widget input').first();
    const hit = this.row(row);
    const gone = (): false => false;
    for (let n = 0, end = Date.now() + patience; Date.now() < end; n++) {
      // Each typing begins the list anew: a busy machine is given longer every time, or its list would never be there.
      const soon = { timeout: Math.min(1000 * 2 ** n, 20_000) };
      if (!(await box.isVisible())) await this.page.keyboard.press(key);
      const typed = await box.fill(text + ' '.repeat(n % 2), soon).then(() => true, gone);
      if (!typed || !(await hit.waitFor(soon).then(() => true, gone))) continue;
      // The explanation of the input box, which shows under a resting mouse, must not lie over the row.
      await this.page.mouse.move(0, 0);
      // Long enough that only a list which went away fails: a click that merely took long has still run the command.
      if (!(await hit.click({ timeout: 15_000 }).then(() => true, gone))) continue;
      // The next list's rows are not to be sought in this one. A window that loads again has none.
      const still = async (): Promise<boolean> =>
        (await box.isVisible()) && (await box.inputValue({ timeout: 1000 })).trimEnd() === text.trimEnd();
      const ended = until(`the end of the list of “${row}”`, async () => !(await still().catch(gone)), 20);
      // A list that stays has taken no click: it goes away before its command runs.
      if (await ended.then(() => true, gone)) return;
    }
    throw new Error(`There is no "${row}" in the quick input.`);
  }

  /** An open quick pick or input box, which takes keys once the focus is in it. */
  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget');
  }

  /** The lists of our trees; one of them takes keys once it has the focus. */
  get tree(): Locator {
    return this.page.locator('.customview-tree .monaco-list');
  }

  /** The editor in front, as far as it is one of text. */
  get editor(): Locator {
    return this.page.locator('.part.editor .editor-instance');
  }

  /** A row of an open quick pick. */
  row(text: string): Locator {
    return this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first();
  }

  /** Answers an open input box. */
  async type(text: string): Promise<void> {
    const box = this.page.locator('.quick-input-widget input').first();
    await box.fill(text);
    await box.press('Enter');
  }

  /** Runs a command from the palette by its whole title, category included. */
  command(title: string): Promise<void> {
    return this.pick('F1', `>${title}`, title);
  }

  /** Runs a command that lists, and takes a row. A page that is still loading takes the focus, which closes the list. */
  async commandWith(title: string, row: string): Promise<void> {
    for (const end = Date.now() + patience; Date.now() < end;) {
      await this.command(title);
      const taken = (): Promise<boolean> =>
        this.row(row)
          .click({ timeout: 5000 })
          .then(
            () => true,
            () => false,
          );
      if ((await comes(this.row(row))) && (await taken())) return;
    }
    throw new Error(`The list of “${title}” does not stay until “${row}” is taken.`);
  }

  async openFile(name: string): Promise<void> {
    await this.pick('ControlOrMeta+P', name, basename(name));
    await this.tab(basename(name)).and(this.page.locator('.active')).waitFor();
  }

  tab(title: string | RegExp): Locator {
    return this.page.locator('.tab').filter({ hasText: title });
  }

  treeItem(name: string | RegExp): Locator {
    return this.page.getByRole('treeitem', { name });
  }

  /** Of these rows the one that keys go to: its list has the focus, and it has the list's. */
  withFocus(row: Locator): Locator {
    return row.and(this.page.locator('.monaco-list:focus .monaco-list-row.focused')).first();
  }

  /** Presses keys on a row of a tree, each once the row has the focus. */
  async pressOn(row: Locator, ...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.withFocus(row).waitFor({ timeout: 10_000 });
      await this.press(key);
    }
  }

  /**
   * Puts the focus on the first row of one of our trees, which is this one. Rows come a moment after their view, and before
   * them there is nothing in it that keeps a focus; a page that was opened just now takes it when it is loaded.
   */
  async focusTree(view: string, row: string | RegExp): Promise<void> {
    const list = this.page.locator('.customview-tree .monaco-list:focus');
    await this.command(`GenEnv: Focus on ${view} View`);
    await this.treeItem(row).first().waitFor({ timeout: patience });
    for (const end = Date.now() + patience; Date.now() < end;) {
      await this.command(`GenEnv: Focus on ${view} View`);
      if (!(await comes(list))) continue;
      await this.press('Home');
      if (await comes(this.withFocus(this.treeItem(row)))) return;
    }
    throw new Error(`The view ${view} does not put the focus on its first row ${String(row)}.`);
  }

  /** Goes by keys from the first row of a tree to the first row below it of each name, opening what is closed. */
  async walk(view: string, first: string | RegExp, ...deeper: (string | RegExp)[]): Promise<void> {
    for (const end = Date.now() + 2 * patience; ;) {
      try {
        await this.focusTree(view, first);
        let row = this.treeItem(first);
        for (const name of deeper) {
          const child = this.treeItem(name).first();
          if (!(await child.isVisible())) await this.pressOn(row, 'ArrowRight');
          await child.waitFor({ timeout: 20_000 });
          await this.pressOn(row, 'ArrowRight');
          row = this.treeItem(name);
          await this.withFocus(row).waitFor({ timeout: 10_000 });
        }
        return;
      } catch (error) {
        // Something else took the focus on the way: from the first row once more.
        if (Date.now() > end) throw error;
      }
    }
  }

  /** Opens a view container by its title in the activity bar. */
  async viewContainer(title: string): Promise<void> {
    const icon = this.page.locator(`.activitybar .action-item a[aria-label^="${title}"]`);
    if ((await icon.getAttribute('aria-expanded')) !== 'true') await icon.click();
  }

  /** A status-bar item. */
  status(text: string | RegExp): Locator {
    return this.page.locator('.statusbar-item').filter({ hasText: text });
  }

  /** Waits for a notification. With test switches no toast appears, so it looks in the notification centre. */
  async message(text: string): Promise<string> {
    const inCentre = this.page.locator('.notifications-center.visible .notification-list-item-message');
    const toast = this.page.locator('.notifications-toasts .notification-list-item-message');
    const wanted = inCentre.or(toast).filter({ hasText: text }).first();
    for (const end = Date.now() + patience; Date.now() < end;) {
      if (await wanted.isVisible()) return wanted.innerText();
      if (!(await this.page.locator('.notifications-center.visible').isVisible()))
        await this.command('Notifications: Show Notifications');
      await wanted.waitFor({ timeout: 2000 }).catch(() => undefined);
    }
    const others = await inCentre.or(toast).allInnerTexts();
    throw new Error(`There is no notification "${text}", only: ${others.join(' | ') || 'none'}.`);
  }

  /** Presses a button of a shown notification. */
  async answer(text: string, button: string): Promise<void> {
    await this.message(text);
    const item = this.page
      .locator('.notifications-center.visible .notification-list-item, .notifications-toasts .notification-list-item')
      .filter({ hasText: text })
      .first();
    await item.locator('.monaco-button').filter({ hasText: button }).click();
  }

  /** The visible page of one of our bundles (`calibration`, `experiment`, `compare`, `preflight`). */
  webview(name: string): Promise<Frame> {
    return this.frameWith(`script[src*="/webviews/${name}.js"]`);
  }

  /** The visible page in which there is such an element. */
  async frameWith(selector: string): Promise<Frame> {
    for (const end = Date.now() + patience; Date.now() < end;) {
      for (const frame of this.page.frames()) {
        // A frame may go while it is asked.
        const found = await frame
          .locator(selector)
          .count()
          .catch(() => 0);
        if (found > 0) return frame;
      }
      await sleep(100);
    }
    throw new Error(`There is no webview with ${selector}.`);
  }

  /** Times between animation frames inside a webview, in milliseconds. */
  async frameTimes(name: string, count = 120): Promise<number[]> {
    const frame = await this.webview(name);
    const times: unknown = await frame.evaluate(`new Promise((resolve) => {
      const times = [];
      let last;
      requestAnimationFrame(function tick(time) {
        if (last !== undefined) times.push(time - last);
        last = time;
        if (times.length < ${count}) requestAnimationFrame(tick);
        else resolve(times);
      });
    })`);
    return z.array(z.number()).parse(times);
  }

  async screenshot(path: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await this.page.screenshot({ path });
  }

  /** Keys, one after another, to whatever has the focus: `pressOn` and `pressAt` wait for it. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }
}
