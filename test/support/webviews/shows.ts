import type { Page } from 'playwright-core';

/** Waits until a place of the page shows a text. */
export async function shows(page: Page, place: string, text: RegExp): Promise<void> {
  await page.locator(place).filter({ hasText: text }).waitFor();
}
