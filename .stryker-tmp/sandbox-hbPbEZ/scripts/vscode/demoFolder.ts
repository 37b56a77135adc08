/** The folder that `npm run vscode` and F5 open: a copy of the demo that keeps what its person did in it. */
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, '.vscode-test', 'demo');

export async function demoFolder(): Promise<string> {
  await mkdir(folder, { recursive: true });
  await cp(join(root, 'demo'), folder, { recursive: true, force: false });
  return folder;
}
