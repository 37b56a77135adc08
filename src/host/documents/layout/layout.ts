/** The common form of read-only documents: a name, facts under it, then sections. */
import type { Line } from './line.ts';
import type { Page } from './page.ts';

/** Under its name, after an empty line; the editor draws the rule across the page, as wide as it is. */
export function writeSection(page: Page, title: string, fill: () => void, { folded = false } = {}): void {
  page.write('');
  page.part({ kind: 'section', title, folded }, () => {
    page.write(`── ${title} ──`);
    fill();
  });
}

/** A section of lines; left out when there are none. */
export function writeLines(page: Page, title: string, lines: readonly (Line | string)[]): void {
  if (lines.length > 0) writeSection(page, title, () => page.write(lines));
}
