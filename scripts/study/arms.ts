/** The arms of the study: the paper's ablations in miniature, all at one rollout budget. */
import { StorekeeperDomain } from '../../src/benchmarks/storekeeper/domain.ts';
import { withPreset } from '../../src/shared/experiment/resolve.ts';
import { experimentSchema, type Experiment, type Mode } from '../../src/shared/experiment/schema.ts';

export const arms: readonly Mode[] = ['coevolve', 'random', 'static', 'offline', 'release'];

/** Samples in the paper's smaller offline baseline (1.76 times the base data). */
const offlineTasks = 957;

/** The embedded preset in one mode. The release arm spends part of its rollouts on ranking, so it gets fewer epochs. */
export function armExperiment(mode: Mode, seed: number, rollouts: number): Experiment {
  return experimentSchema.parse(
    withPreset({
      preset: 'embedded',
      name: `study ${mode} ${seed}`,
      mode,
      seed,
      epochs: 10_000,
      budget: { rollouts },
      generation: { offlineFile: mode === 'offline' ? 'offline.jsonl' : null },
    }),
  );
}

/**
 * What a better generator might have delivered beforehand: tasks by the domain's own authors, distributed as the base
 * data and disjoint from base and validation.
 */
export function offlineFile(): string {
  const own = new StorekeeperDomain();
  const known = new Set([...own.seeds('base'), ...own.seeds('validation')].map((task) => own.fingerprint(task)));
  const lines: string[] = [];
  for (let author = 1; lines.length < offlineTasks; author++) {
    for (const task of new StorekeeperDomain({ seed: author }).seeds('base')) {
      const key = own.fingerprint(task);
      if (known.has(key) || lines.length === offlineTasks) continue;
      known.add(key);
      const { prompt, evaluation, gold, complexity } = task;
      lines.push(JSON.stringify({ id: `author${author}.${lines.length}`, prompt, evaluation, gold, complexity }));
    }
  }
  return `${lines.join('\n')}\n`;
}
