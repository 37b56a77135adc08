/** A run of very many families: its journal, which calibration draws, and where they are wanted the records behind it. */
import { environmentReward, inBand } from '../../../src/engine/math/curriculum.ts';
import { pooled, successRate } from '../../../src/engine/math/successRate.ts';
import { Rng } from '../../../src/engine/random.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';
import type { FamilyScore, JournalEvent } from '../../../src/shared/journal/events.ts';
import { writeRecords } from './largeRecords.ts';

const attempts = 32;
const perTask = 8;
type Unstamped<E> = E extends JournalEvent ? Omit<E, 'v' | 'seq' | 'at'> : never;

export interface LargeRun {
  name: string;
  epochs: number;
  /** Of an epoch; each has 4 tasks, 8 times attempted. */
  families: number;
  /** With its tasks and traces: about 2 kB for each attempt. */
  records: boolean;
}

/** Writes a finished run. @param between is awaited after each epoch, as for a running run */
export async function writeLargeRun(
  root: string,
  { name, epochs, families, records }: LargeRun,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const store = new RunStore(root, { clock: { now: () => Date.now() }, log: console, version: 'bench' });
  const experiment = resolveExperiment({
    version: 1,
    name,
    preset: 'embedded',
    mode: 'coevolve',
    seed: 1,
    epochs,
  });
  const { alpha, beta, lambda, kMin } = experiment.curriculum;
  const rng = Rng.from('large-run');
  const writer = await store.create({ experiment });
  let seq = 0;
  const append = (body: Unstamped<JournalEvent>): Promise<void> =>
    writer.append({ v: 1, seq: seq++, at: 1_790_000_000_000 + 1000 * seq, ...body });
  const version = (name: string) => ({ name, handle: name });
  const checkpoints = { agent: version('agent@0'), environment: version('environment@0') };
  await writer.session({ type: 'started' });
  await append({
    type: 'run.started',
    mode: 'coevolve',
    seed: 1,
    epochs,
    agent: version('agent@0'),
    environment: version('environment@0'),
    checkpoints,
    base: 544,
    validation: 0,
  });
  for (let epoch = 1; epoch <= epochs; epoch++) {
    const settings = { alpha, beta, lambda, kMin };
    const scores = Array.from({ length: families }, (_, i) =>
      score(`e${epoch}.f${i}`, rng, experiment.curriculum, families),
    );
    const rate = pooled(scores.map((one) => one.successRate));
    const kept = scores.filter((one) => one.kept > 0).length;
    const outcome = {
      successRate: rate,
      inBand: kept / families,
      environmentReward: scores.reduce((sum, one) => sum + (one.environmentReward ?? 0), 0) / families,
      familiesKept: kept,
      effectiveSampleSize: kept,
    };
    if (records) await writeRecords(writer, epoch, scores);
    await Promise.all([
      append({ type: 'epoch.started', epoch, settings, versions: checkpoints }),
      append({ type: 'families.scored', epoch, scope: 'family', families: scores, baseSuccessRate: rate, ...outcome }),
      append({
        type: 'epoch.finished',
        epoch,
        summary: {
          epoch,
          ...outcome,
          families,
          kl: { agent: 0.01, environment: 0.02 },
          taskLength: 30,
          answerLength: 14,
          rejected: {},
          rollouts: families * attempts,
          tokens: families * attempts * 40,
          seconds: 2.5,
        },
      }),
    ]);
    await between();
  }
  await append({ type: 'run.finished', reason: 'epochs', note: 'All epochs are done.' });
  await writer.close();
}

function score(
  id: string,
  rng: Rng,
  curriculum: { alpha: number; beta: number; kMin: number },
  families: number,
): FamilyScore {
  const tasks = Array.from({ length: attempts / perTask }, (_, i) => ({
    id: `${id}.v${i}`,
    successes: rng.int(perTask + 1),
  }));
  const rate = successRate(
    tasks.reduce((sum, task) => sum + task.successes, 0),
    attempts,
  );
  const p = rate.p ?? 0;
  const reward = environmentReward(p, curriculum);
  const kept = inBand(p, curriculum) ? 1 : 0;
  const weight = kept / families;
  return {
    id,
    seed: 'base.1',
    origin: 'generated',
    plan: 'steps 4 tools 5 fillers 1',
    tasks: tasks.map((task) => ({
      ...task,
      attempts: perTask,
      environmentReward: reward,
      weight: weight / tasks.length,
    })),
    successRate: rate,
    estimate: p,
    environmentReward: reward,
    kept,
    weight,
    complexity: { steps: 4 },
  };
}
