/** The content of the screen, found by polling. */
import { driver } from '../../vscode/driver.ts';
import { until } from '../until.ts';

/** The whole text of one of our pages on one line, once it says this. */
export async function pageSays(page: string, pattern: RegExp): Promise<string> {
  let text = '';
  return until(
    () => `${String(pattern)} in ${page}, which says: ${text}`,
    async () => {
      text = (await driver.pageText(page)).replaceAll(/\s+/g, ' ');
      return pattern.test(text) && text;
    },
    30,
  );
}

/** The rows of the trees in sight, a line each, once they are so. */
export async function rows(fits: (rows: string) => boolean): Promise<string> {
  let text = '';
  return until(
    () => `other rows than: ${text}`,
    async () => {
      text = (await driver.treeItems()).replaceAll(/\n+/g, '\n');
      return fits(text) && text;
    },
    45,
  );
}
