/** The common form of read-only documents: a name, facts under it, then sections. */
import type { Line } from './line.ts';
import type { Page } from './page.ts';

const width = 72;

/** Under its own line across the page, after an empty one. */
export function writeSection(page: Page, title: string, fill: () => void): void {
  page.write('');
  page.part({ kind: 'section', title }, () => {
    page.write(`── ${title} ${'─'.repeat(Math.max(3, width - title.length - 4))}`);
    fill();
  });
}

/** A section of lines; left out when there are none. */
export function writeLines(page: Page, title: string, lines: readonly (Line | string)[]): void {
  if (lines.length > 0) writeSection(page, title, () => page.write(lines));
}
