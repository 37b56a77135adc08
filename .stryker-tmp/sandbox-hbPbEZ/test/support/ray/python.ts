/** Jobs are Python in a shell: where that is not had, their tests are skipped, and it is said loudly. */
import { spawnSync } from 'node:child_process';
import type { Context } from 'mocha';

export function needsPython(context: Context): void {
  const missing = ['python3', 'bash'].find((program) => spawnSync(program, ['--version']).status !== 0);
  if (missing === undefined) return;
  console.warn(`\n  ! ${missing} is not there: JOBS OF VERL AND THEIR REWARD FILE ARE NOT TESTED.\n`);
  context.skip();
}
