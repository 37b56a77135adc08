/** The browser code that stands inside every report. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PageCode } from './page.ts';
import { ReportError } from './reportError.ts';

/**
 * With a nonce of its own at each call.
 * @param dist folder of the built code, with a slash at its end: `report.js` and `report.css`
 * @throws ReportError `not-built`
 */
export async function pageCode(dist: URL): Promise<PageCode> {
  const [script, style] = await Promise.all([built(dist, 'report.js'), built(dist, 'report.css')]);
  return { script, style, nonce: randomBytes(18).toString('base64') };
}

async function built(dist: URL, name: string): Promise<string> {
  const path = fileURLToPath(new URL(name, dist));
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new ReportError(
      'not-built',
      `${path} is missing: build it with \`npm run build\`, then ask for the report again.`,
      {
        cause: error,
      },
    );
  }
}
