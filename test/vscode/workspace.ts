/** Workspaces that tests may write into. */
import { cp, mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const demo = fileURLToPath(new URL('../../demo', import.meta.url));

/** A copy of the demo folder. */
export async function demoWorkspace(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'genenv-workspace-')));
  await cp(demo, folder, { recursive: true });
  return folder;
}
