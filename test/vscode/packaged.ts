/** The extension as users get it: the .vsix that the test run made, or one made now. */
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const script = fileURLToPath(new URL('../../scripts/package.ts', import.meta.url));
let made: Promise<string> | undefined;

export function packagedExtension(): Promise<string> {
  const given = process.env['GENENV_VSIX'];
  if (given !== undefined) return Promise.resolve(given);
  made ??= make();
  return made;
}

async function make(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-vsix-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'genenv.vsix');
  await promisify(execFile)(process.execPath, [script, '--out', file]);
  return file;
}
