/** A run's course for a report: its epochs, one point a family, and the events between them. */
import type { EventOf, FamilyScore, JournalEvent } from '../../../shared/journal/events.ts';
import type {
  ChangeMark,
  EpochRow,
  EvaluationRow,
  FamilyPoint,
  SkipReason,
  ValidationRow,
} from '../../../shared/report/data.ts';
import type { LateTasks } from '../../../shared/journal/counted.ts';
import { defined } from '../../../shared/defined.ts';
import { withoutFamilies } from '../../../runs/facts/runFacts.ts';
import { EpochFold, type Totals } from '../../../runs/facts/epochFold.ts';
import { rounded } from '../../../runs/facts/measuredRows.ts';

export interface Course extends Totals {
  started: EventOf<'run.started'> | null;
  finished: EventOf<'run.finished'> | null;
  scope: EventOf<'families.scored'>['scope'];
  firstAt: number;
  lastAt: number;
  epochs: EpochRow[];
  validation: ValidationRow[];
  evaluations: EvaluationRow[];
  families: FamilyPoint[];
  /** The measured tasks by epoch, from which samples are chosen. */
  tasks: ReadonlyMap<number, readonly FamilyScore[]>;
  late: LateTasks;
  changes: ChangeMark[];
  skips: SkipReason[];
  /** The journal without its large parts, as `conclude` reads it. */
  light: JournalEvent[];
}

const longestPlan = 160;

/** Folds events one at a time, so that a journal is never held as a whole. */
export class CourseFold {
  readonly #epochs = new EpochFold();
  #started: Course['started'] = null;
  #finished: Course['finished'] = null;
  #scope: Course['scope'] = 'family';
  #firstAt: number | null = null;
  #lastAt = 0;
  readonly #scored = new Map<number, readonly FamilyScore[]>();
  readonly #late = new Map<number, readonly string[]>();
  readonly #light: JournalEvent[] = [];

  add(event: JournalEvent): void {
    this.#firstAt ??= event.at;
    this.#lastAt = event.at;
    this.#epochs.add(event);
    this.#light.push(withoutFamilies(event));
    if (event.type === 'run.started') this.#started = event;
    else if (event.type === 'run.finished') this.#finished = event;
    else if (event.type === 'rollouts.finished' && event.late !== undefined) this.#late.set(event.epoch, event.late);
    else if (event.type === 'families.scored') {
      this.#scope = event.scope;
      this.#scored.set(event.epoch, event.families);
    }
  }

  course(): Course {
    const epochs = this.#epochs.rows;
    return {
      started: this.#started,
      finished: this.#finished,
      scope: this.#scope,
      firstAt: this.#firstAt ?? 0,
      lastAt: this.#lastAt,
      ...this.#epochs.totals,
      epochs,
      validation: this.#epochs.validations,
      evaluations: this.#epochs.evaluations,
      families: epochs.flatMap(({ epoch }) => (this.#scored.get(epoch) ?? []).flatMap((score) => point(epoch, score))),
      tasks: this.#scored,
      late: this.#late,
      changes: [...this.#epochs.changes],
      skips: skipReasons(epochs),
      light: this.#light,
    };
  }
}

/** None for a family without a judged attempt: it has no p̂. */
function point(epoch: number, family: FamilyScore): FamilyPoint[] {
  const { successes, attempts, p, low, high } = family.successRate;
  if (p === null) return [];
  return [
    {
      epoch,
      id: family.id,
      ...defined({ domain: family.domain }),
      origin: family.origin,
      tasks: family.tasks.length,
      successes,
      attempts,
      p: rounded(p),
      low: rounded(low),
      high: rounded(high),
      environmentReward: family.environmentReward === null ? null : rounded(family.environmentReward),
      kept: rounded(family.kept),
      weight: rounded(family.weight),
      plan: family.plan.length > longestPlan ? `${family.plan.slice(0, longestPlan)}…` : family.plan,
      complexity: Object.fromEntries(Object.entries(family.complexity).map(([name, value]) => [name, rounded(value)])),
    },
  ];
}

/** Why environment updates were skipped, most frequent first; reasons that differ in their numbers alone are one. */
function skipReasons(epochs: readonly EpochRow[]): SkipReason[] {
  const byReason = new Map<string, SkipReason>();
  for (const { epoch, environment } of epochs) {
    if (environment.skipped === null) continue;
    const reason = environment.skipped.replaceAll(/\d+(?:\.\d+)?/g, '…');
    const known = byReason.get(reason);
    if (known === undefined) byReason.set(reason, { reason, example: environment.skipped, epochs: [epoch] });
    else known.epochs.push(epoch);
  }
  return [...byReason.values()].sort((a, b) => b.epochs.length - a.epochs.length);
}
