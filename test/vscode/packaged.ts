/** The extension as users get it: the .vsix that the test run made, or one made now. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageExtension } from '../../scripts/vscode/packageExtension.ts';

let made: Promise<string> | undefined;

export function packagedExtension(): Promise<string> {
  const given = process.env['GENENV_VSIX'];
  if (given !== undefined) return Promise.resolve(given);
  made ??= mkdtemp(join(tmpdir(), 'genenv-vsix-'))
    .then((folder) => packageExtension(join(folder, 'genenv.vsix')))
    .then(({ file }) => file);
  return made;
}
