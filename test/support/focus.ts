/** Keys go to what has the focus: one that is pressed before the focus has arrived is lost, or does something else. */
import type { Locator } from 'playwright-core';

/** Waits until the focus is on one of these, or inside it. */
export async function focused(where: Locator, timeout = 60_000): Promise<void> {
  await where.locator(':scope:focus-within').first().waitFor({ state: 'attached', timeout });
}

/** Presses keys, one after another, each where it belongs. */
export async function pressAt(where: Locator, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await focused(where);
    await where.page().keyboard.press(key);
  }
}

/** Types a text where it belongs. */
export async function typeAt(where: Locator, text: string): Promise<void> {
  await focused(where);
  await where.page().keyboard.type(text);
}
