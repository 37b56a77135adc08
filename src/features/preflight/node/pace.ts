/** How fast the endpoints of an experiment are, by the newest run on them or by the tasks tried. */
import * as l10n from '@vscode/l10n';
import type { Clock, Log } from '../../../engine/ports.ts';
import { paceOfRuns } from '../../../runs/store/pace.ts';
import { RunError } from '../../../runs/store/runError.ts';
import { RunStore } from '../../../runs/store/runStore.ts';
import type { RunHead } from '../../../runs/store/runHead.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { pricesOf } from '../../../shared/money/prices.ts';
import { untilEnd } from '../../../shared/money/untilEnd.ts';
import { endsAt, workAtPace, type RunPace } from '../../../shared/money/forecast.ts';
import type { Workload } from '../../../shared/experiment/workload.ts';
import type { Trial } from './trial.ts';
import { aboutDuration } from '../../../shared/text/figures/durations.ts';
import { fixed } from '../../../shared/text/figures/numbers.ts';

/** Of a run, updates included; `run` null: of the tasks tried, a few at once, without updates. */
export type Pace = RunPace | { run: null; secondsPerToken: number };

interface PaceNeeds {
  /** Where runs are kept. */
  root: string;
  clock: Clock;
  log: Log;
}

/** Of the newest run that finished an epoch on the same endpoints, else of the tasks tried; null where neither is known. */
export async function measuredPace(
  { endpoints }: Experiment,
  trial: Trial | null,
  { root, clock, log }: PaceNeeds,
): Promise<Pace | null> {
  const measured = paceOfRuns(await headsIn(new RunStore(root, { clock, log, version: '' })), endpoints);
  if (measured !== null) return measured;
  if (trial === null) return null;
  const { lengths, written, attempts, seconds } = trial;
  const tokens = written * lengths.text + attempts * lengths.attempt;
  return tokens === 0 || seconds === 0 ? null : { secondsPerToken: seconds / tokens, run: null };
}

/** Newest first; none of a folder that cannot be read, which another check says. */
async function headsIn(store: RunStore): Promise<RunHead[]> {
  try {
    return await store.list();
  } catch (error) {
    if (RunError.is(error)) return [];
    throw error;
  }
}

/**
 * Up to the budget that ends it, of time and money, too, as far as the pace tells. A run on the same endpoints tells the
 * tokens as well, as it does in the form: a whole epoch of it is a larger sample than the tasks tried.
 */
export function endedAtPace(experiment: Experiment, work: Workload, pace: Pace | null): Workload {
  const { tokens, rollouts, basis } = work;
  if (pace !== null && pace.run !== null) return workAtPace(experiment, work, pace);
  if (pace === null || basis === 'limits') return untilEnd(work);
  const seconds = tokens.epoch * pace.secondsPerToken;
  const inEpoch = { tokens: tokens.epoch, rollouts: rollouts.epoch, seconds };
  return untilEnd({ ...work, ends: endsAt(experiment, work, inEpoch) });
}

/** Time, and what the servers' hours cost; '' where no pace is known. */
export function paceSentence({ endpoints }: Experiment, { tokens, basis }: Workload, pace: Pace | null): string {
  const hour = pricesOf(endpoints)?.hour ?? 0;
  if (pace === null || basis === 'limits')
    return hour === 0
      ? ''
      : l10n.t('An hour costs {0}; how many it takes is not known before the first epoch has finished.', hour);
  const [epoch, run] = [tokens.epoch * pace.secondsPerToken, tokens.run * pace.secondsPerToken];
  const times = l10n.t('{0} an epoch and {1} in all', aboutDuration(epoch), aboutDuration(run));
  const cost =
    hour === 0 ? '' : `; ${l10n.t('at {0} an hour the servers cost {1}', hour, fixed((run / 3600) * hour, 2))}`;
  return pace.run === null
    ? l10n.t(
        'At the pace of the tasks tried, a few at once, sampling takes at most about {0}; updates come on top.',
        `${times}${cost}`,
      )
    : l10n.t('At the pace of run “{0}” on the same endpoints it takes about {1}.', pace.run, `${times}${cost}`);
}
