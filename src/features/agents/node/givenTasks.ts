/** Tasks that a run was given, from its own copies alone: no data of a benchmark is opened for them. */
import type { LocalDomain } from '../../../engine/ports.ts';
import { importedTasks } from '../../../benchmarks/given/imported.ts';
import { openDomain } from '../../../launch/domains/openDomain.ts';
import { readInputs } from '../../../launch/inputs/inputs.ts';
import { openScorer } from '../../../launch/scoring/openScorer.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import type { Task } from '../../../shared/records/task.ts';

/** @throws InputError where the run’s copies are damaged */
export async function domainFromCopies({
  dir,
  manifest,
}: Pick<RunReader, 'dir' | 'manifest'>): Promise<{ domain: LocalDomain; given: Task[] }> {
  const { experiment, imported } = manifest;
  if (imported !== null) return { domain: importedTasks, given: [] };
  const inputs = await readInputs(dir, experiment);
  const domain = await openDomain(experiment, inputs, { rules: await openScorer(null), writes: false });
  return { domain, given: [...domain.seeds('base'), ...domain.seeds('validation'), ...(inputs.offline ?? [])] };
}
