import type { Verification } from '../../engine/ports.ts';
import type { RunReader } from '../../runs/store/runReader.ts';
import type { Task } from '../../shared/records/task.ts';
import { domainOf } from '../domains/openDomain.ts';
import { openOwnDomain } from './openJudged.ts';

/**
 * Whether a task in its edited state verifies by the domain of its run: a domain file's copy is called in its own
 * process. Without its plan, which binds the environment but not a user's edit.
 * @throws InputError
 */
export async function verifyOwn(
  run: Pick<RunReader, 'dir' | 'manifest'>,
  task: Task,
  dist: URL,
): Promise<Verification> {
  const { domain, scorer: rules } = await domainOf(run);
  const { experiment, imported } = run.manifest;
  const needs = { dir: run.dir, dist, rules, asks: null };
  const own = imported === null ? await openOwnDomain(experiment, needs, task) : null;
  try {
    return await (own?.domain ?? domain).verify({ ...task, plan: '' });
  } finally {
    await own?.close();
  }
}
