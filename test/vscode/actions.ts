/**
 * Actions on the window that a test inside the extension host may request of the runner; `driver.ts` is the requesting
 * side.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errors, type Locator } from 'playwright-core';
import { pressAt } from '../support/focus.ts';
import type { Window } from './window.ts';

type Action = (win: Window, ...args: string[]) => Promise<string | undefined>;

const screenshots = fileURLToPath(new URL('../ui/screenshots/', import.meta.url));
/** Whether it goes within five seconds. */
const goes = (what: Locator): Promise<boolean> =>
  what.waitFor({ state: 'hidden', timeout: 5000 }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof errors.TimeoutError) return false;
      throw error;
    },
  );
const done = (work: Promise<unknown>): Promise<undefined> => work.then(() => undefined);

export const actions: Readonly<Record<string, Action>> = {
  command: (win, title = '') => done(win.command(title)),
  press: (win, part = '', ...keys) => done(pressAt(part === 'tree' ? win.tree : win.quickInput, ...keys)),
  message: (win, text = '') => win.message(text),
  answer: (win, text = '', button = '') => done(win.answer(text, button)),
  choose: async (win, row = '') => {
    // A list's tooltip for the row under the mouse covers the rows beside it.
    await win.page.mouse.move(0, 0);
    await win.row(row).click();
    // The next question may bear the same title: it is not to be sought in the list that goes.
    await goes(win.row(row));
    return undefined;
  },
  type: (win, text = '') => done(win.type(text)),
  typeInto: async (win, title = '', text = '') => {
    const asking = win.page.locator('.quick-input-title').filter({ hasText: title });
    const box = win.page.locator('.quick-input-widget input').first();
    for (;;) {
      await asking.waitFor();
      // A file dialog writes its own proposal while it opens, and passes over an Enter while it looks at the disk.
      await box.fill(text);
      await win.page.waitForTimeout(400);
      if ((await box.inputValue()) !== text) continue;
      await box.press('Enter');
      // A box that takes long to go is waited for: another Enter would be written into what opens after it.
      if (await goes(asking)) return undefined;
    }
  },
  // All at once: rows of a live tree go while one after the other is read.
  treeItems: async (win) => (await win.page.getByRole('treeitem').allInnerTexts()).join('\n'),
  pageText: async (win, name = '') => {
    for (;;) {
      const frame = await win.webview(name);
      try {
        return await frame.locator('body').innerText();
      } catch (error) {
        // A page that was closed while it was read made room for the next.
        if (!frame.isDetached()) throw error;
      }
    }
  },
  pageButton: async (win, name = '', button = '') => {
    await (await win.webview(name)).getByRole('button', { name: button, exact: true }).click();
    return undefined;
  },
  pageType: async (win, name = '', role = '', label = '', text = '') => {
    const kind = role === 'spinbutton' ? 'spinbutton' : 'textbox';
    const field = (await win.webview(name)).getByRole(kind, { name: label, exact: true });
    // By its key the editor selects by a command of its own, a moment later: what was typed by then would be replaced.
    await field.selectText();
    await field.pressSequentially(text);
    return undefined;
  },
  pagePress: async (win, name = '', role = '', label = '', ...keys) => {
    const kind = role === 'spinbutton' || role === 'row' ? role : 'textbox';
    const field = (await win.webview(name)).getByRole(kind, { name: label, exact: role !== 'row' }).first();
    for (const key of keys) await field.press(key);
    return undefined;
  },
  width: (win, width = '') => done(win.page.setViewportSize({ width: Number(width), height: 900 })),
  screenshot: (win, name = '') => done(win.screenshot(join(screenshots, `${name}.png`))),
};
