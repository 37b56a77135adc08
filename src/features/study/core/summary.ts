/** A run's journal folded into its study's record of it, and the measures' numbers. */
import { growthOf } from '../../../shared/report/growth.ts';
import { WorkedTime } from '../../../runs/facts/workedTime.ts';
import { knownSum } from '../../../shared/money/knownSum.ts';
import { madeIn } from '../../../shared/journal/dropped.ts';
import type { JournalEvent } from '../../../shared/journal/events.ts';
import type { Budget, BudgetKind, Measure, MemberSummary } from '../contract/file.ts';
import { mean } from '../../../engine/math/paired/tests.ts';
import { largest } from '../../../shared/extremes.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/** Changes by a user that make a run differ from its arm. */
const byHand: ReadonlySet<JournalEvent['type']> = new Set(['settings.changed', 'tasks.edited', 'verdicts.rescored']);

export class SummaryFold {
  readonly #worked = new WorkedTime();
  readonly #summary: MemberSummary = {
    ...{ rollouts: 0, tokens: 0, seconds: 0, epochs: 0, updates: 0, ending: '' },
    ...{ successes: [], attempts: [], complexity: {}, validatedAt: [], validation: [], evaluation: null },
  };
  #complexity: Record<string, number> = {};
  /** Those that are known: budgets count no others. */
  #tokens = 0;
  #edited: { type: JournalEvent['type']; seq: number } | null = null;

  /** The first change by a user; null where the run matches its experiment. */
  get edited(): { type: JournalEvent['type']; seq: number } | null {
    return this.#edited;
  }

  get summary(): MemberSummary {
    return { ...this.#summary, seconds: this.#worked.seconds };
  }

  /** As the budgets of a run count. */
  spent(kind: BudgetKind): number {
    return kind === 'tokens' ? this.#tokens : this.summary[kind];
  }

  add(event: JournalEvent): void {
    this.#worked.add(event);
    const summary = this.#summary;
    if (byHand.has(event.type)) this.#edited ??= { type: event.type, seq: event.seq };
    switch (event.type) {
      case 'tasks.generated':
        this.#addTokens(event.tokens);
        return;
      case 'rollouts.finished':
        this.#addTokens(madeIn(event).tokens);
        summary.rollouts += madeIn(event).rollouts;
        return;
      case 'families.scored': {
        const of = new Map<string, number[]>();
        for (const { complexity } of event.families) {
          for (const [name, value] of Object.entries(complexity)) of.set(name, [...(of.get(name) ?? []), value]);
        }
        this.#complexity = Object.fromEntries([...of].map(([name, values]) => [name, mean(values)]));
        return;
      }
      case 'agent.updated':
        summary.updates += 1;
        return;
      case 'validated':
        this.#addTokens(event.tokens);
        summary.validatedAt.push(summary.rollouts);
        summary.validation.push(event.successRate.p);
        return;
      case 'evaluated':
        this.#addTokens(event.tokens);
        summary.evaluation = event.pass.find(({ k }) => k === 1)?.value ?? null;
        return;
      case 'epoch.finished':
        this.#addEpoch(event.summary.successRate);
        return;
      case 'run.finished':
        summary.ending = event.reason;
        return;
      default:
        return;
    }
  }

  #addTokens(tokens: number | null): void {
    this.#summary.tokens = knownSum(this.#summary.tokens, tokens);
    this.#tokens += tokens ?? 0;
  }

  #addEpoch({ successes, attempts }: { successes: number; attempts: number }): void {
    const summary = this.#summary;
    for (const name of Object.keys(this.#complexity)) {
      summary.complexity[name] ??= Array.from({ length: summary.epochs }, () => null);
    }
    for (const [name, values] of Object.entries(summary.complexity)) values.push(this.#complexity[name] ?? null);
    this.#complexity = {};
    summary.successes.push(successes);
    summary.attempts.push(attempts);
    summary.epochs += 1;
  }
}

const known = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

/**
 * Rollouts of a run that never reached a score: no fewer than any other run's, so that no arm leads by making few (long
 * answers on a budget of tokens).
 */
export function rolloutsOfNever({ kind, amount }: Budget, all: Iterable<MemberSummary | null>): number {
  return largest([kind === 'rollouts' ? amount : 0, ...[...all].map((one) => one?.rollouts ?? 0)]);
}

type Validated = Pick<MemberSummary, 'validation' | 'validatedAt'>;

/** Success rates of validations after training began; the one before it says nothing about an arm. */
const trained = ({ validation, validatedAt }: Validated): number[] =>
  known(validation.filter((_, i) => (validatedAt[i] ?? 0) > 0));

/** Whether it has a validation after training: a run without one is not one that never reaches a score. */
export const isValidated = (summary: Validated): boolean => trained(summary).length > 0;

/**
 * One number of a run; null where it has none (no benchmark, no validation).
 *
 * @param never `rolloutsOfNever` of all runs that are compared
 */
export function measured(measure: Measure, summary: MemberSummary, never: number): number | null {
  switch (measure.kind) {
    case 'validation':
      return lastMean(trained(summary), measure.last);
    case 'gain': {
      const end = lastMean(trained(summary), measure.last);
      const [start = null] = summary.validation;
      return end === null || start === null ? null : end - start;
    }
    case 'evaluation':
      return summary.evaluation;
    case 'band':
      return inBand(summary, measure.low, measure.high);
    case 'difficulty':
      return difficulty(summary, measure.of);
    case 'reaches':
      return isValidated(summary) ? (reaches(summary, measure.score, measure.last) ?? never) : null;
  }
}

function lastMean(values: readonly number[], last: number): number | null {
  const some = values.slice(-last);
  return some.length === 0 ? null : mean(some);
}

function inBand({ successes, attempts }: MemberSummary, low: number, high: number): number | null {
  const rates = successes
    .map((k, i) => k / Math.max(1, attempts[i] ?? outOfRange()))
    .slice(Math.floor(successes.length / 2));
  return rates.length === 0 ? null : mean(rates.map((rate) => (rate >= low && rate <= high ? 1 : 0)));
}

/** Rollouts until the mean of the newest `last` validations, or of all so far, first reaches a score; null where it never does. */
export function reaches({ validation, validatedAt }: Validated, score: number, last: number): number | null {
  for (const [i, rollouts] of validatedAt.entries()) {
    const window = known(validation.slice(Math.max(0, i - last + 1), i + 1));
    if (window.length > 0 && mean(window) >= score) return rollouts;
  }
  return null;
}

/**
 * Growth of tasks at constant success, in the measure's unit over the whole run: the coefficient of the epoch, times the
 * epochs, in a least-squares regression of complexity on epoch and logit (k + ½)/(n + 1). Null under five epochs.
 */
function difficulty({ successes, attempts, complexity }: MemberSummary, of: string | null): number | null {
  const values = complexity[of ?? Object.keys(complexity)[0] ?? ''];
  if (values === undefined) return null;
  const growth = growthOf(
    values.flatMap((value, epoch) =>
      value === null
        ? []
        : [{ epoch, value, successes: successes[epoch] ?? outOfRange(), attempts: attempts[epoch] ?? outOfRange() }],
    ),
  );
  return growth === null ? null : growth.slope * values.length;
}
