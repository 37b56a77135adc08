/**
 * D_env, the environment pool (paper §2.3), as JSON lines: one for each generated task of a family that the difficulty
 * filter kept, in the order scored, once for each epoch that scored it. A line is
 * `{"v":1,"epoch","family","task","seed","plan","version","context"?,"text","tokens","spans","weight",
 * "normalisedWeight","kept","environmentReward","successRate","familySuccessRate"}`:
 * - `context` the messages the environment policy read, its plan's turn included; `text` what it wrote;
 * - `tokens` both as its token ids, `spans` the generated positions as [start, end) pairs into them;
 * - `weight` = exp(λR_env) with the λ of that epoch; `normalisedWeight` its share of that epoch's update, filter
 *   included, which sums to 1 over the epoch; `kept` the filter's share of its family, 1 unless the filter is soft;
 * - `environmentReward` R_env; `successRate`, `familySuccessRate` `{"successes","attempts","p"}` of the task and of its
 *   family; `version` the environment that wrote it; `seed` the seed task it varies.
 * Tasks made elsewhere (mode `offline`) have no text of an environment policy and are not in it.
 */
import type { FamilyScore, JournalEvent } from '../../shared/journal/events.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Task } from '../../shared/records/task.ts';
import { RunError } from '../runError.ts';

interface Rate {
  successes: number;
  attempts: number;
  p: number | null;
}

export interface EnvironmentPoolLine {
  v: 1;
  epoch: number;
  family: string;
  task: string;
  seed: string | null;
  plan: string;
  version: string;
  context?: Message[];
  text: string;
  tokens: number[];
  spans: [number, number][];
  weight: number;
  normalisedWeight: number;
  kept: number;
  environmentReward: number;
  successRate: Rate;
  familySuccessRate: Rate;
}

/** The part of a run that the pool is a view of. */
export interface EnvironmentPoolSource {
  readonly dir: string;
  events(): AsyncIterable<JournalEvent>;
  task(id: string): Promise<Task | undefined>;
}

/** @throws RunError `format` for a scored task that is not recorded, and what the source throws */
export async function* environmentPool(source: EnvironmentPoolSource): AsyncGenerator<EnvironmentPoolLine> {
  let lambda = 1;
  for await (const event of source.events()) {
    if (event.type === 'epoch.started') lambda = event.settings.lambda;
    if (event.type !== 'families.scored') continue;
    for (const family of event.families) {
      if (family.origin === 'offline') continue;
      for (const scored of family.tasks) {
        if (scored.weight === 0) continue;
        const task = await source.task(scored.id);
        if (task?.generation === undefined) throw missing(source, scored.id, event.seq);
        yield instanceLine({ epoch: event.epoch, lambda, family, scored, task, generation: task.generation });
      }
    }
  }
}

/** The line of one task that an epoch's update learned from. */
export function instanceLine(of: {
  epoch: number;
  lambda: number;
  family: FamilyScore;
  scored: FamilyScore['tasks'][number];
  task: Task;
  generation: NonNullable<Task['generation']>;
}): EnvironmentPoolLine {
  const { epoch, lambda, family, scored, task, generation } = of;
  return {
    v: 1,
    epoch,
    family: family.id,
    task: task.id,
    seed: task.seed,
    plan: task.plan,
    version: generation.version,
    ...(generation.context === undefined ? {} : { context: generation.context }),
    text: generation.text,
    tokens: generation.tokens,
    spans: generation.spans,
    weight: Math.exp(lambda * scored.environmentReward),
    normalisedWeight: scored.weight,
    kept: family.kept,
    environmentReward: scored.environmentReward,
    successRate: rate(scored),
    familySuccessRate: rate(family.successRate),
  };
}

const rate = ({ successes, attempts }: { successes: number; attempts: number }): Rate => ({
  successes,
  attempts,
  p: attempts === 0 ? null : successes / attempts,
});

function missing({ dir }: EnvironmentPoolSource, id: string, seq: number): RunError {
  return new RunError('format', {
    path: dir,
    field: 'families.tasks.id',
    what: `event ${seq} of the journal scores task "${id}", whose text is not recorded`,
    remedy: 'Restore tasks.jsonl from a copy.',
  });
}
