/** Jobs are Python in a shell: where that is not had, their tests are skipped. */
import { spawnSync } from 'node:child_process';
import type { Context } from 'mocha';
import { skip } from '../skip.ts';

export function needsPython(context: Context): void {
  const missing = ['python3', 'bash'].find((program) => spawnSync(program, ['--version']).status !== 0);
  if (missing !== undefined) skip(context, `there is no ${missing} to run jobs of verl by`);
}
