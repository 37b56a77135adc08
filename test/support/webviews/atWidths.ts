import type { Page } from 'playwright-core';

/** The same page at one width after the other, as its editor is made narrower: opening it anew costs more than the look. */
export async function atWidths(
  page: Page,
  widths: readonly number[],
  look: (width: number) => Promise<void>,
): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: page.viewportSize()?.height ?? 800 });
    await look(width);
  }
}
