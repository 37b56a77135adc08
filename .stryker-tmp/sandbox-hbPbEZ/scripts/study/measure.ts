/** The numbers of one run that the paper's claims are about, read from its journal. */
import type { EpochSummary, EventOf, JournalEvent } from '../../src/shared/journal/events.ts';
import { mean } from './statistics.ts';

export interface Measures {
  rollouts: number;
  epochs: number;
  /** Validation before training: the same for every arm of a seed. */
  validationStart: number;
  /** Mean of the last five validations: one alone has a standard error of 2.5 points. */
  validationEnd: number;
  /** Success on the tasks the epoch set out to calibrate: first epoch, and mean of the second half. */
  successFirst: number;
  successLate: number;
  /** Share of the second half's epochs whose p̂ lies in [0.4, 0.6]. */
  inZone: number;
  /** Mean steps of a calibrated task: first five and last five epochs. */
  stepsEarly: number;
  stepsLate: number;
  /** Tokens of an answer, likewise. */
  answerEarly: number;
  answerLate: number;
  /** Share of written texts that became tasks, over the second half. */
  accepted: number | null;
  environmentUpdates: number;
  environmentSkips: number;
  /** [rollouts so far, validation], the curve of data efficiency. */
  curve: [number, number][];
  /** Solved or not per validation task, in the domain's order: over the last five validations, and before training. */
  outcomesLate: string[];
  outcomesStart: string;
}

const late = <T>(values: readonly T[]): T[] => values.slice(Math.floor(values.length / 2));
const rateOf = ({ successRate }: Pick<EpochSummary, 'successRate'>): number => successRate.p ?? 0;

export function measure(events: readonly JournalEvent[]): Measures {
  const of = <T extends JournalEvent['type']>(type: T): EventOf<T>[] =>
    events.filter((event): event is EventOf<T> => event.type === type);
  const summaries = of('epoch.finished').map(({ summary }) => summary);
  const validations = of('validated');
  const rates = validations.map(rateOf);
  const steps = of('families.scored').map(({ families }) =>
    families.length === 0 ? 0 : mean(families.map(({ complexity }) => complexity['steps'] ?? 0)),
  );
  const answers = summaries.map(({ answerLength }) => answerLength ?? 0);
  const zone = late(summaries).map((summary) => (rateOf(summary) >= 0.4 && rateOf(summary) <= 0.6 ? 1 : 0));
  const written = late(of('tasks.generated'));
  const total = written.reduce((sum, event) => sum + event.written, 0);
  const rolloutsBy = new Map<number, number>([[0, 0]]);
  let rollouts = 0;
  for (const summary of summaries) rolloutsBy.set(summary.epoch, (rollouts += summary.rollouts));
  return {
    rollouts,
    epochs: summaries.length,
    validationStart: rates[0] ?? 0,
    validationEnd: mean(rates.slice(-5)),
    successFirst: rateOf(summaries[0] ?? { successRate: { successes: 0, attempts: 0, p: null, low: 0, high: 1 } }),
    successLate: mean(late(summaries).map(rateOf)),
    inZone: mean(zone),
    stepsEarly: mean(steps.slice(0, 5)),
    stepsLate: mean(steps.slice(-5)),
    answerEarly: mean(answers.slice(0, 5)),
    answerLate: mean(answers.slice(-5)),
    accepted: total === 0 ? null : written.reduce((sum, event) => sum + event.accepted, 0) / total,
    environmentUpdates: of('environment.updated').length,
    environmentSkips: of('environment.skipped').length,
    curve: validations.map((event) => [rolloutsBy.get(event.epoch) ?? 0, rateOf(event)]),
    outcomesLate: validations.slice(-5).map(({ outcomes }) => outcomes),
    outcomesStart: validations[0]?.outcomes ?? '',
  };
}

/** Rollouts after which the curve, smoothed over five validations, first reaches a level; null if it never does. */
export function rolloutsToReach(curve: readonly [number, number][], level: number): number | null {
  for (let i = 4; i < curve.length; i++) {
    const window = curve.slice(i - 4, i + 1).map(([, value]) => value);
    if (mean(window) >= level) return curve[i]?.[0] ?? null;
  }
  return null;
}
