/** The arms of the study: the paper's ablations in miniature, all at one rollout budget. */
import { StorekeeperDomain } from '../../src/benchmarks/storekeeper/domain.ts';
import { withPreset } from '../../src/shared/experiment/resolve.ts';
import { experimentSchema, type Experiment, type Mode } from '../../src/shared/experiment/schema.ts';

/** `capped`: coevolve with a cap on the environment's total KL, added after the other arms had been seen. */
export type Arm = Mode | 'capped';
export const arms: readonly Arm[] = ['coevolve', 'random', 'static', 'offline', 'release', 'capped'];

/** Nats per token: about a third of where the uncapped environment goes. */
export const totalKlCap = 0.04;

/** Samples in the paper's smaller offline baseline (1.76 times the base data). */
const offlineTasks = 957;

/** The embedded preset in one arm. The release arm spends part of its rollouts on ranking, so it gets fewer epochs. */
export function armExperiment(arm: Arm, seed: number, rollouts: number): Experiment {
  const mode = arm === 'capped' ? 'coevolve' : arm;
  return experimentSchema.parse(
    withPreset({
      preset: 'embedded',
      name: `study ${arm} ${seed}`,
      mode,
      seed,
      epochs: 10_000,
      budget: { rollouts },
      environment: arm === 'capped' ? { totalKlCap } : {},
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
