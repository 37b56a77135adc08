/** Which epochs a rescoring scores again, and how each was scored. */
import type { SeedRate } from '../../../engine/rewardKinds/progress.ts';
import { seedRatesOf, type RunState } from '../../../engine/state.ts';
import { changesOf } from '../../../runs/journal/experimentNow.ts';
import { experimentIn, lineageOf, type OwnSettings } from '../../../runs/journal/lineage.ts';
import { append } from '../../../shared/append.ts';
import { defined } from '../../../shared/defined.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { countsIn, type LateTasks } from '../../../shared/journal/counted.ts';
import { curriculumAfter, type CurriculumInForce } from '../../../shared/journal/curriculum.ts';
import type { JournalEvent } from '../../../shared/journal/events.ts';
import { measureChange } from '../../../shared/journal/measures.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import type { ScoredEpoch } from '../core/epochChange.ts';

/** Both included. */
export interface Epochs {
  first: number;
  last: number;
}

interface Run {
  dir: string;
  manifest: OwnSettings;
  events(): AsyncIterable<JournalEvent>;
}

/** How each epoch was scored, under the settings in force when it was. */
export async function* scoredEpochs(run: Run, { first, last }: Epochs, late: LateTasks): AsyncGenerator<ScoredEpoch> {
  const changes: RunState['changes'][number][] = [];
  const lineage = await lineageOf(run.dir, run.manifest);
  let dropped = new Set<string>();
  let started: CurriculumInForce | null = null;
  let [agent, sampled]: [string, string | null] = ['', null];
  const before = new Map<string, SeedRate>();
  for await (const event of run.events()) {
    if (event.type === 'run.started') agent = event.agent.name;
    if (event.type === 'agent.updated') agent = event.version.name;
    if (event.type === 'epoch.started') {
      [dropped, started, sampled] = [new Set(), event.settings, event.sampled?.agent.name ?? null];
    }
    if (event.type === 'rollouts.finished') for (const { task } of event.dropped?.groups ?? []) dropped.add(task);
    if (event.type === 'settings.changed') {
      // Of the next epoch, before it begins: that one names them itself.
      if (started !== null) started = curriculumAfter(started, event);
      append(changes, changesOf(event));
      // As the loop forgets them (engine/samplers/measuredAnew.ts).
      if (measureChange('attempts', changesOf(event)) !== null) before.clear();
    }
    if (event.type !== 'families.scored' || event.epoch > last) continue;
    const version = sampled ?? agent;
    if (event.epoch < first) {
      for (const [seed, rate] of seedRatesOf(event, version)) before.set(seed, rate);
      continue;
    }
    const { epoch, families } = event;
    const experiment = experimentIn(lineage, epoch, changes);
    const curriculum = curriculumOf(experiment, started);
    const { advantageNorm } = experiment.agent;
    const warm = epoch <= curriculum.warmupEpochs;
    const both = { own: new Set(late.get(epoch)), before: new Set(late.get(epoch - 1)) };
    yield { epoch, families, curriculum, warm, advantageNorm, attemptedBy: { version, before }, dropped, late: both };
  }
}

/** The settings of an epoch with the values that it began with: α follows a course, or is chosen by a controller. */
function curriculumOf({ curriculum }: Experiment, started: CurriculumInForce | null): ScoredEpoch['curriculum'] {
  if (started === null) throw new RangeError('Unreachable: families are scored in an epoch that has started.');
  const { alpha, beta, lambda, kMin, keepBest, reward = { kind: 'kernel', repetition: 0 } } = started;
  return {
    ...{ ...curriculum, alpha, beta, lambda, kMin, reward: { ...curriculum.reward, ...reward } },
    ...defined({ keepBest }),
  };
}

/** Which attempts are judged again: those of the epochs asked for, and late ones of the epoch before, which count in the first. */
export function isIn(
  { first, last }: Epochs,
  late: LateTasks,
): (trace: Pick<Trace, 'purpose' | 'task' | 'epoch'>) => boolean {
  const counts = countsIn(late, first);
  return (trace) => trace.epoch <= last && (trace.epoch >= first || (trace.purpose === 'train' && counts(trace)));
}
