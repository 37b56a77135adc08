import type { Page } from 'playwright-core';
import { wear } from './openPage.ts';
import type { Theme } from './themes.ts';

/** The same page in one theme after the other, as its editor changes it: opening it anew costs more than the look. */
export async function inThemes<T extends Theme>(
  page: Page,
  themes: readonly T[],
  look: (theme: T) => Promise<void>,
): Promise<void> {
  for (const theme of themes) {
    await wear(page, theme);
    await look(theme);
  }
}
