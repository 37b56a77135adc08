/** Whether a run's agent improved on its held-out tasks: a verdict, a plain sentence, and the comparison behind them. */
import * as l10n from '@vscode/l10n';
import { pairedDifference, type PairedDifference } from '../../engine/math/paired/proportions.ts';
import { taskTries } from '../../engine/math/paired/taskTries.ts';
import type { EventOf } from '../../shared/journal/events.ts';
import type { MeasureChange } from '../../shared/journal/measures.ts';
import { percentToTenth, points } from '../../shared/text/figures/shares.ts';

/** The first and the last of the validations that were measured as the next one is; null where there is none. */
export interface Validations {
  first: EventOf<'validated'> | null;
  last: EventOf<'validated'> | null;
  /** The last change of how they are measured: none before it counts. */
  measure: MeasureChange | null;
}

export interface Learning {
  /** `unclear`: the interval of the paired difference holds 0; `unmeasured`: not validated twice on the same tasks. */
  verdict: 'improved' | 'worse' | 'unclear' | 'untrained' | 'unmeasured';
  sentence: string;
  paired: PairedDifference | null;
}

/** @param agentUpdates epochs in which the agent was updated */
export function judgeLearning({ first, last, measure }: Validations, agentUpdates: number): Learning {
  if (first === null || last === null) {
    const sentence =
      measure === null
        ? l10n.t('The agent was never validated, so nothing is known of what it learned.')
        : l10n.t('Whether the agent improved is unknown: it was not validated since.');
    return { verdict: agentUpdates === 0 ? 'untrained' : 'unmeasured', paired: null, sentence };
  }
  const [before, after] = [taskTries(first), taskTries(last)];
  const paired = first === last || before === null || after === null ? null : pairedDifference(before, after);
  if (agentUpdates === 0) {
    const { p, attempts } = last.successRate;
    const sentence =
      p === null
        ? l10n.t('The agent was not trained; it solved nothing of {0} held-out attempts.', attempts)
        : l10n.t('The agent was not trained; it solved {0} of {1} held-out attempts.', percentToTenth(p), attempts);
    return { verdict: 'untrained', paired, sentence };
  }
  if (paired === null) {
    const unknownAttempts = before === null || after === null;
    return { verdict: 'unmeasured', paired, sentence: whyUnmeasured(first === last, unknownAttempts) };
  }
  const numbers = inNumbers(paired, first.epoch, last.epoch);
  if (paired.low > 0)
    return { verdict: 'improved', paired, sentence: l10n.t('The agent improved on validation: {0}.', numbers) };
  if (paired.high < 0)
    return { verdict: 'worse', paired, sentence: l10n.t('The agent got worse on validation: {0}.', numbers) };
  const sentence = l10n.t("The agent's change on validation cannot be told from chance: {0}.", numbers);
  return { verdict: 'unclear', paired, sentence };
}

function whyUnmeasured(once: boolean, unknownAttempts: boolean): string {
  if (once) return l10n.t('Whether the agent improved is unknown: it was validated only once.');
  return unknownAttempts
    ? l10n.t(
        'Whether the agent improved is unknown: this journal, of an older version, does not tell how often each held-out task was solved.',
      )
    : l10n.t('Whether the agent improved is unknown: the held-out tasks changed on the way.');
}

function inNumbers(paired: PairedDifference, from: number, to: number): string {
  const start = from === 0 ? l10n.t('at the start') : l10n.t('after epoch {0}', from);
  const figures = [
    ...[percentToTenth(paired.before / paired.tasks), paired.tasks, start],
    ...[percentToTenth(paired.after / paired.tasks), to],
    ...[points(paired.difference), points(paired.low), points(paired.high)],
  ];
  return paired.single
    ? l10n.t(
        '{0} of {1} held-out tasks {2}, {3} after epoch {4}: {5} points (95 % interval of the paired difference {6} to {7})',
        ...figures,
      )
    : l10n.t(
        '{0} of the attempts at {1} held-out tasks {2}, {3} after epoch {4}: {5} points (95 % interval of the paired difference {6} to {7})',
        ...figures,
      );
}
