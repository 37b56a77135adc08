/** Which turn of an attempt decided: success rates of attempts that were forked at its turns, one after another. */
import { successDifference, successRate } from '../../../engine/math/successRate.ts';
import { ratesOf, type Rate, type Reattempt } from '../../../shared/records/reattempt.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import type { SuccessRate } from '../../../shared/journal/scores.ts';

export interface ForkedAt {
  /** Number of the agent's message that was sampled anew, from 0. */
  turn: number;
  rate: Rate;
}

/** The effect of one recorded turn of the agent. */
export interface TurnStep {
  turn: number;
  /** With the turn sampled anew. */
  anew: SuccessRate;
  /** With the turn as recorded; after the last one, the attempt's own outcome. */
  kept: SuccessRate;
  /** `kept` − `anew` with its 95 % interval (Newcombe 1998, method 10). */
  change: ReturnType<typeof successDifference>;
}

/**
 * Forks at equal turns count as one. A step spans several turns where some between were not forked at.
 * @param solved the attempt's own verdict; null where its last turn says nothing: it was not judged, or not forked at
 */
export function turnSteps(forks: readonly ForkedAt[], solved: boolean | null): TurnStep[] {
  const byTurn = Map.groupBy(forks, ({ turn }) => turn);
  const rates = [...byTurn].sort(([a], [b]) => a - b).map(([turn, same]) => ({ turn, rate: summed(same) }));
  return rates.flatMap(({ turn, rate }, i) => {
    const kept = rates[i + 1]?.rate ?? (solved === null ? null : certain(solved));
    return kept === null ? [] : [{ turn, anew: rate, kept, change: successDifference(rate, kept) }];
  });
}

/** Numbers of the messages that an attempt can be forked at: those of the agent. */
export const turnsToFork = ({ messages }: Pick<Trace, 'messages'>): number[] =>
  messages.flatMap(({ role }, i) => (role === 'assistant' ? [i] : []));

/** The steps of one version that attempted what was left. */
export interface VersionSteps {
  version: string;
  steps: TurnStep[];
}

/**
 * The steps of finished forks without an edit, by the version that attempted them: between versions p̂ differs at any turn. The
 * attempt's own outcome follows its last turn, where that was forked at.
 */
export function forkSteps(forks: readonly Reattempt[], trace: Trace): VersionSteps[] {
  const own = turnsToFork(trace);
  const counted = forks.filter(
    ({ fork, state }) => fork?.text === null && state === 'finished' && own.includes(fork.turn),
  );
  return [...Map.groupBy(counted, ({ version }) => version)].map(([version, same]) => {
    const found = same.flatMap((one): ForkedAt[] =>
      one.fork === undefined ? [] : [{ turn: one.fork.turn, rate: ratesOf(one).after }],
    );
    const ended = found.some(({ turn }) => turn === own.at(-1)) && trace.verdict.error === undefined;
    return { version, steps: turnSteps(found, ended ? trace.verdict.success : null) };
  });
}

/**
 * The step with the largest change among those whose interval excludes 0; null without one. Each interval stands for itself:
 * over many turns one may exclude 0 by chance.
 */
export function decidingStep(steps: readonly TurnStep[]): TurnStep | null {
  const clear = steps.filter(({ change }) => change.low > 0 || change.high < 0);
  return clear.toSorted((a, b) => Math.abs(b.change.d) - Math.abs(a.change.d))[0] ?? null;
}

const summed = (forks: readonly ForkedAt[]): SuccessRate =>
  successRate(
    forks.reduce((sum, { rate }) => sum + rate.successes, 0),
    forks.reduce((sum, { rate }) => sum + rate.attempts, 0),
  );

/** The one outcome of turns that are all kept. */
function certain(solved: boolean): SuccessRate {
  const p = solved ? 1 : 0;
  return { successes: p, attempts: 1, p, low: p, high: p, effective: 1 };
}
