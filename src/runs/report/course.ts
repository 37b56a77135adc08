/** A run's course: its journal folded into one row an epoch, one point a family, and what lies between them. */
import type { EventOf, FamilyScore, JournalEvent } from '../../shared/journal/events.ts';
import type {
  ChangeMark,
  EpochRow,
  FamilyPoint,
  Seconds,
  SkipReason,
  ValidationRow,
} from '../../shared/report/data.ts';
import { pairedDifference } from '../paired.ts';

export interface Course {
  started: EventOf<'run.started'> | null;
  finished: EventOf<'run.finished'> | null;
  scope: EventOf<'families.scored'>['scope'];
  firstAt: number;
  lastAt: number;
  rollouts: number;
  tokens: number;
  seconds: number;
  epochs: EpochRow[];
  validation: ValidationRow[];
  families: FamilyPoint[];
  /** Per epoch, the tasks that were measured: what samples are chosen from. */
  tasks: ReadonlyMap<number, readonly FamilyScore[]>;
  changes: ChangeMark[];
  skips: SkipReason[];
  /** The journal without its large parts, as `conclude` reads it. */
  light: JournalEvent[];
}

const symbols: Record<string, string> = {
  'curriculum.alpha': 'α',
  'curriculum.beta': 'β',
  'curriculum.lambda': 'λ',
  'curriculum.kMin': 'k_min',
};
const longestPlan = 160;

/** Five significant digits: more than any chart shows, half of the file's size. */
const rounded = (value: number): number => Number(value.toPrecision(5));
const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Folds events one at a time, so that a journal is never held as a whole. */
export class CourseFold {
  #started: Course['started'] = null;
  #finished: Course['finished'] = null;
  #scope: Course['scope'] = 'family';
  #firstAt: number | null = null;
  #lastAt = 0;
  readonly #totals = { rollouts: 0, tokens: 0, seconds: 0 };
  readonly #epochs = new Map<number, EpochRow>();
  readonly #durations = new Map<number, number>();
  readonly #scored = new Map<number, readonly FamilyScore[]>();
  readonly #validated = new Map<number, EventOf<'validated'>>();
  readonly #changes: ChangeMark[] = [];
  readonly #light: JournalEvent[] = [];

  add(event: JournalEvent): void {
    this.#firstAt ??= event.at;
    this.#lastAt = event.at;
    this.#light.push(event.type === 'families.scored' ? { ...event, families: [] } : event);
    if (event.type === 'run.started') this.#started = event;
    else if (event.type === 'run.finished') this.#finished = event;
    else if (event.type === 'validated') this.#addValidation(event);
    else if (event.type === 'settings.changed') this.#addChanges(event);
    else if (event.type === 'epoch.started') this.#epochs.set(event.epoch, emptyRow(event));
    else {
      const row = this.#epochs.get(event.epoch);
      if (row !== undefined) this.#addToEpoch(row, event);
    }
  }

  course(): Course {
    for (const [epoch, seconds] of this.#durations) {
      const row = this.#epochs.get(epoch);
      if (row !== undefined) row.seconds.other = rest(row.seconds, seconds);
    }
    const epochs = [...this.#epochs.values()].sort((a, b) => a.epoch - b.epoch);
    return {
      started: this.#started,
      finished: this.#finished,
      scope: this.#scope,
      firstAt: this.#firstAt ?? 0,
      lastAt: this.#lastAt,
      ...this.#totals,
      epochs,
      validation: validationRows(this.#validated),
      families: epochs.flatMap(({ epoch }) => (this.#scored.get(epoch) ?? []).flatMap((score) => point(epoch, score))),
      tasks: this.#scored,
      changes: this.#changes,
      skips: skipReasons(epochs),
      light: this.#light,
    };
  }

  #addValidation(event: EventOf<'validated'>): void {
    this.#validated.set(event.epoch, event);
    this.#totals.tokens += event.tokens;
    const row = this.#epochs.get(event.epoch);
    if (row !== undefined) row.seconds.validate = rounded(event.seconds);
  }

  #addChanges(event: EventOf<'settings.changed'>): void {
    for (const { field, from, to } of event.changes) {
      const text = `${symbols[field] ?? field} ${shown(from)} → ${shown(to)}`;
      this.#changes.push({ epoch: event.epoch, text, author: event.author });
    }
  }

  #addToEpoch(row: EpochRow, event: EpochEvent): void {
    switch (event.type) {
      case 'tasks.generated':
        this.#totals.tokens += event.tokens;
        row.written = event.written;
        row.accepted = event.accepted;
        row.rejected = event.rejected;
        row.taskLength = event.taskLength;
        row.tokens.generate = event.tokens;
        row.seconds.generate = rounded(event.seconds);
        return;
      case 'rollouts.finished':
        this.#totals.tokens += event.tokens;
        this.#totals.rollouts += event.rollouts;
        row.rollouts = event.rollouts;
        row.truncated = event.truncated;
        row.invalid = event.invalid;
        row.checkerErrors = event.checkerErrors;
        row.answerLength = event.answerLength;
        row.tokens.attempt = event.tokens;
        row.seconds.attempt = rounded(event.seconds);
        return;
      case 'families.scored':
        this.#scope = event.scope;
        this.#scored.set(event.epoch, event.families);
        row.successRate = event.successRate.p === null ? null : event.successRate;
        row.baseSuccessRate = event.baseSuccessRate.p === null ? null : event.baseSuccessRate;
        row.inBand = event.inBand;
        row.environmentReward = event.environmentReward;
        row.families = event.families.length;
        row.familiesKept = event.familiesKept;
        row.effectiveSampleSize = event.effectiveSampleSize;
        row.complexity = meanComplexity(event.families);
        return;
      case 'agent.updated':
        row.groups = event.groups;
        row.agent = {
          klInitial: event.kl.reference,
          klUpdate: event.kl.prePost,
          entropy: event.entropy,
          skipped: null,
        };
        row.seconds.agent = rounded(event.seconds);
        return;
      case 'agent.skipped':
        row.groups = event.groups;
        row.agent.skipped = event.reason;
        return;
      case 'environment.updated':
        row.environment = {
          klInitial: event.kl.initial,
          klUpdate: event.kl.update,
          steps: event.steps,
          stoppedBy: event.stoppedBy,
          skipped: null,
        };
        row.seconds.environment = rounded(event.seconds);
        return;
      case 'environment.skipped':
        row.environment.skipped = event.reason;
        return;
      case 'pools.grown':
        return;
      case 'epoch.finished':
        this.#totals.seconds += event.summary.seconds;
        // Validation is journaled before or after this event, so the rest is worked out at the end.
        this.#durations.set(event.epoch, event.summary.seconds);
        return;
    }
  }
}

type EpochEvent = Exclude<
  JournalEvent,
  { type: 'run.started' | 'run.finished' | 'validated' | 'settings.changed' | 'epoch.started' }
>;

function emptyRow({ epoch, settings }: EventOf<'epoch.started'>): EpochRow {
  return {
    epoch,
    curriculum: settings,
    successRate: null,
    baseSuccessRate: null,
    inBand: null,
    environmentReward: null,
    families: 0,
    familiesKept: 0,
    effectiveSampleSize: null,
    written: 0,
    accepted: 0,
    rejected: {},
    complexity: {},
    taskLength: null,
    answerLength: null,
    rollouts: 0,
    truncated: 0,
    invalid: 0,
    checkerErrors: 0,
    groups: null,
    agent: { klInitial: null, klUpdate: null, entropy: null, skipped: null },
    environment: { klInitial: null, klUpdate: null, steps: null, stoppedBy: null, skipped: null },
    seconds: { generate: null, attempt: null, agent: null, environment: null, validate: null, other: null },
    tokens: { generate: 0, attempt: 0 },
  };
}

function rest(seconds: Seconds, total: number): number {
  const { generate, attempt, agent, environment, validate } = seconds;
  const known = [generate, attempt, agent, environment, validate].reduce((sum: number, part) => sum + (part ?? 0), 0);
  // Phases may overlap (two policies, two threads): then nothing is left over.
  return rounded(Math.max(0, total - known));
}

/** Mean over families, of the families that have the number. */
function meanComplexity(families: readonly FamilyScore[]): Record<string, number> {
  const names = new Set(families.flatMap(({ complexity }) => Object.keys(complexity)));
  return Object.fromEntries(
    [...names].map((name) => {
      const values = families.flatMap(({ complexity }) => complexity[name] ?? []);
      return [name, rounded(values.reduce((sum, value) => sum + value, 0) / values.length)];
    }),
  );
}

/** None for a family without a judged attempt: it has no p̂. */
function point(epoch: number, family: FamilyScore): FamilyPoint[] {
  const { successes, attempts, p, low, high } = family.successRate;
  if (p === null) return [];
  return [
    {
      epoch,
      id: family.id,
      origin: family.origin,
      tasks: family.tasks.length,
      successes,
      attempts,
      p: rounded(p),
      low: rounded(low),
      high: rounded(high),
      environmentReward: rounded(family.environmentReward),
      kept: rounded(family.kept),
      weight: rounded(family.weight),
      plan: family.plan.length > longestPlan ? `${family.plan.slice(0, longestPlan)}…` : family.plan,
      complexity: Object.fromEntries(Object.entries(family.complexity).map(([name, value]) => [name, rounded(value)])),
    },
  ];
}

function validationRows(validated: ReadonlyMap<number, EventOf<'validated'>>): ValidationRow[] {
  const inOrder = [...validated.values()].sort((a, b) => a.epoch - b.epoch);
  const first = inOrder[0];
  return inOrder.map((event) => {
    const paired = first === undefined || first === event ? null : pairedDifference(first, event);
    return {
      epoch: event.epoch,
      successRate: event.successRate,
      answerLength: event.answerLength,
      change: paired && {
        gained: paired.gained,
        lost: paired.lost,
        difference: rounded(paired.difference),
        low: rounded(paired.low),
        high: rounded(paired.high),
      },
    };
  });
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
