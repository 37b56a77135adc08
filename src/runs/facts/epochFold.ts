/** A run's epochs: its journal folded into one row an epoch, its validations and the settings changed in between. */
import { evaluatedPass } from '../../engine/math/evaluatedPass.ts';
import { outcomeTries } from '../../engine/math/paired/taskTries.ts';
import type { Tries } from '../../engine/math/passAtK.ts';
import { knownSum } from '../../shared/money/knownSum.ts';
import { defined } from '../../shared/defined.ts';
import type { FieldChange } from '../../shared/experiment/changeable.ts';
import { curriculumAfter } from '../../shared/journal/curriculum.ts';
import { madeIn } from '../../shared/journal/dropped.ts';
import type { EventOf, JournalEvent } from '../../shared/journal/events.ts';
import { nothingUsed, usesOf, usedWith, type Used } from '../../shared/money/used.ts';
import type { ChangeMark, EpochRow, EvaluationRow, Groups, ValidationRow } from '../../shared/report/data.ts';
import {
  attempted,
  changeOf,
  ofFamilies,
  rounded,
  validatedChange,
  validatedDomains,
  withAttempted,
  withScored,
  withWritten,
} from './measuredRows.ts';
import { noFigures } from '../../shared/report/oneDomain.ts';
import { pairedDifference } from '../../engine/math/paired/proportions.ts';
import { ComparedFold } from './comparedFold.ts';
import { checkOf } from './crossPlay.ts';
import { fellOutOf } from './schedule/fellOut.ts';
import { TimelineFold } from './timeline/timelineFold.ts';
import { WorkedTime } from './workedTime.ts';
import { wasSkipped } from '../../shared/journal/untrained.ts';

const symbols: Record<string, string> = {
  'curriculum.alpha': 'α',
  'curriculum.beta': 'β',
  'curriculum.lambda': 'λ',
  'curriculum.kMin': 'k_min',
};

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Totals over a run's events. */
export interface Totals {
  rollouts: number;
  /** Null where those of some attempts are not known. */
  tokens: number | null;
  /** On the clock while the run was carried on. */
  seconds: number;
}

/**
 * Folds events one at a time; families are counted, not kept. The changes of an event can be read right after it, so
 * that a live view sends little.
 */
export class EpochFold {
  readonly #totals: Omit<Totals, 'seconds'> = { rollouts: 0, tokens: 0 };
  readonly #worked = new WorkedTime();
  readonly #timeline = new TimelineFold();
  readonly #rows = new Map<number, EpochRow>();
  readonly #rounds = new Map<number, EventOf<'rollouts.finished'>[]>();
  readonly #validated = new ComparedFold<EventOf<'validated'>>('validation');
  readonly #evaluated = new ComparedFold<EventOf<'evaluated'>>('benchmark');
  readonly #changes: ChangeMark[] = [];
  readonly #settings: (FieldChange & { epoch: number })[] = [];
  #used = nothingUsed;

  get totals(): Readonly<Totals> {
    return { ...this.#totals, seconds: this.#worked.seconds };
  }

  get changes(): readonly ChangeMark[] {
    return this.#changes;
  }

  /** The same, as fields and their values. */
  get settings(): readonly (FieldChange & { epoch: number })[] {
    return this.#settings;
  }

  /** Tokens by use. */
  get used(): Used {
    return this.#used;
  }

  /** In order. */
  get rows(): EpochRow[] {
    return [...this.#rows.values()].sort((a, b) => a.epoch - b.epoch);
  }

  row(epoch: number): EpochRow | undefined {
    return this.#rows.get(epoch);
  }

  /** In order, each compared with the first that was measured alike. */
  get validations(): ValidationRow[] {
    return this.#validated.epochs.flatMap((epoch) => this.validation(epoch) ?? []);
  }

  validation(epoch: number): ValidationRow | undefined {
    const found = this.#validated.at(epoch);
    if (found === undefined) return undefined;
    const { event, first, measure } = found;
    return {
      epoch,
      successRate: event.successRate,
      truncated: event.truncated ?? null,
      answerLength: event.answerLength,
      ...{ measure, against: first?.epoch ?? null },
      ...validatedChange(event, first),
      ...(event.domains && { domains: validatedDomains(event, first) }),
    };
  }

  /** In order, each compared with the first that was measured alike. */
  get evaluations(): EvaluationRow[] {
    return this.#evaluated.epochs.flatMap((epoch) => this.evaluation(epoch) ?? []);
  }

  evaluation(epoch: number): EvaluationRow | undefined {
    const found = this.#evaluated.at(epoch);
    if (found === undefined) return undefined;
    const { event, first, measure } = found;
    const { benchmark, tasks, attempts, digest, of = null, whole = null, truncated = null } = event;
    // Pairs of tasks can be counted only with one attempt a task.
    const comparable = first !== null && first.digest === digest && attempts === 1;
    const paired = comparable ? pairedDifference(unansweredWrong(first), unansweredWrong(event)) : null;
    const { pass, answered } = evaluatedPass(event);
    return {
      epoch,
      benchmark,
      tasks,
      of,
      whole,
      attempts,
      pass: [...pass],
      answered,
      truncated,
      ...{ measure, against: first?.epoch ?? null },
      change: paired && changeOf(paired),
    };
  }

  add(event: JournalEvent): void {
    this.#worked.add(event);
    this.#used = usesOf(event).reduce(usedWith, this.#used);
    if (event.type === 'run.started' || event.type === 'run.finished') return;
    if (event.type === 'validated') this.#addValidation(event);
    else if (event.type === 'evaluated') this.#addEvaluation(event);
    else if (event.type === 'settings.changed') this.#addChanges(event);
    else if (event.type === 'epoch.started') this.#rows.set(event.epoch, emptyRow(event));
    else {
      const row = this.#rows.get(event.epoch);
      if (row !== undefined) this.#addToEpoch(row, event);
    }
    const now = this.#timeline.add(event, this.#worked.epoch.seconds);
    const row = now === null ? undefined : this.#rows.get(now.epoch);
    if (row !== undefined) row.timeline = now?.timeline;
  }

  #addTokens(tokens: number | null): void {
    this.#totals.tokens = knownSum(this.#totals.tokens, tokens);
  }

  #addValidation(event: EventOf<'validated'>): void {
    this.#validated.add(event, this.#settings);
    this.#addTokens(event.tokens);
    const row = this.#rows.get(event.epoch);
    if (row !== undefined) row.seconds.validate = rounded(event.seconds);
  }

  #addEvaluation(event: EventOf<'evaluated'>): void {
    this.#evaluated.add(event, this.#settings);
    this.#addTokens(event.tokens);
  }

  #addChanges(event: EventOf<'settings.changed'>): void {
    const row = this.#rows.get(event.epoch);
    if (row !== undefined) row.curriculum = curriculumAfter(row.curriculum, event);
    for (const { field, from, to } of event.changes) {
      // A file of the same name that was read anew.
      const what = from === to ? `${shown(to)}, edited` : `${shown(from)} → ${shown(to)}`;
      const text = `${symbols[field] ?? field} ${what}`;
      this.#changes.push({ epoch: event.epoch, text, author: event.author });
      this.#settings.push({ field, to, epoch: event.epoch });
    }
  }

  /** The epoch's rounds, this one included. */
  #round(event: EventOf<'rollouts.finished'>): readonly EventOf<'rollouts.finished'>[] {
    const rounds = [...(this.#rounds.get(event.epoch) ?? []), event];
    this.#rounds.set(event.epoch, rounds);
    return rounds;
  }

  #addAttempted(row: EpochRow, rounds: readonly EventOf<'rollouts.finished'>[]): void {
    Object.assign(row, attempted(rounds), defined({ fellOut: fellOutOf(rounds) }));
    row.domains = withAttempted(row.domains, rounds);
  }

  #addToEpoch(row: EpochRow, event: EpochEvent): void {
    switch (event.type) {
      case 'tasks.generated':
        this.#addTokens(event.tokens);
        row.written = event.written;
        row.accepted = event.accepted;
        row.rejected = event.rejected;
        row.quality = event.quality ?? null;
        row.taskLength = event.taskLength;
        row.domains = withWritten(row.domains, event);
        row.tokens.generate = event.tokens;
        row.seconds.generate = rounded(event.seconds);
        return;
      case 'rollouts.finished':
        this.#addTokens(madeIn(event).tokens);
        this.#totals.rollouts += madeIn(event).rollouts;
        this.#addAttempted(row, this.#round(event));
        if (event.late !== undefined) row.late = event.late.length;
        row.tokens.attempt = knownSum(row.tokens.attempt, madeIn(event).tokens);
        row.seconds.attempt = rounded((row.seconds.attempt ?? 0) + event.seconds);
        return;
      case 'families.scored':
        row.successRate = event.successRate.p === null ? null : event.successRate;
        row.baseSuccessRate = event.baseSuccessRate.p === null ? null : event.baseSuccessRate;
        row.domains = withScored(row.domains, event, row.curriculum);
        row.inBand = event.inBand;
        row.environmentReward = event.environmentReward;
        Object.assign(row, ofFamilies(event.families, row.curriculum));
        row.familiesKept = event.familiesKept;
        row.effectiveSampleSize = event.effectiveSampleSize;
        return;
      case 'agent.updated':
        row.groups = groupsWith(row.groups, event.groups);
        row.agent = {
          klInitial: event.kl.reference,
          klUpdate: event.kl.prePost,
          entropy: event.entropy,
          gradNorm: event.gradNorm,
          ...defined({ mismatch: worse(row.agent.mismatch, event.kl) }),
          skipped: null,
        };
        row.seconds.agent = rounded((row.seconds.agent ?? 0) + event.seconds);
        return;
      case 'agent.skipped':
        row.groups = groupsWith(row.groups, event.groups);
        // Of several rounds one that taught something is enough.
        if (row.agent.entropy === null && row.agent.klUpdate === null) row.agent.skipped = event.reason;
        return;
      case 'environment.updated':
        row.environment = {
          klInitial: event.kl.initial,
          klUpdate: event.kl.update,
          entropy: event.entropy ?? null,
          gradNorm: event.gradNorm,
          steps: event.steps,
          stoppedBy: event.stoppedBy,
          skipped: null,
        };
        row.seconds.environment = rounded(event.seconds);
        return;
      case 'environment.skipped':
        if (wasSkipped(event.reason)) row.environment.skipped = event.reason;
        return;
      case 'pools.grown':
        return;
      case 'cross.played':
        row.crossPlay = checkOf(event);
        return;
      case 'epoch.finished':
        row.seconds.other = rounded(this.#worked.epoch.outside);
        row.seconds.whole = rounded(this.#worked.epoch.seconds);
        row.slots = event.slots?.flatMap(({ roles, used, room }) =>
          room.seconds > 0 ? [{ roles, busy: rounded(used.seconds / room.seconds) }] : [],
        );
        return;
    }
  }
}

type EpochEvent = Exclude<
  JournalEvent,
  { type: 'run.started' | 'run.finished' | 'validated' | 'evaluated' | 'settings.changed' | 'epoch.started' }
>;

/** As authors count. */
const unansweredWrong = ({ outcomes }: EventOf<'evaluated'>): Tries[] => outcomeTries(outcomes.replaceAll('-', '0'));

function emptyRow({ epoch, settings, control, versions }: EventOf<'epoch.started'>): EpochRow {
  return {
    epoch,
    curriculum: settings,
    ...defined({ control }),
    versions: { agent: versions.agent.name, environment: versions.environment.name },
    ...noFigures,
    groups: null,
    agent: { klInitial: null, klUpdate: null, entropy: null, gradNorm: null, skipped: null },
    environment: {
      ...{ klInitial: null, klUpdate: null, entropy: null, gradNorm: null },
      ...{ steps: null, stoppedBy: null, skipped: null },
    },
    seconds: {
      generate: null,
      attempt: null,
      agent: null,
      environment: null,
      validate: null,
      other: null,
      whole: null,
    },
    tokens: { generate: 0, attempt: 0 },
  };
}

/** Of several rounds the one whose sampler and trainer were furthest apart. */
function worse(
  before: EpochRow['agent']['mismatch'],
  { sampleTrainV1: v1, sampleTrainV2: v2 }: EventOf<'agent.updated'>['kl'],
): EpochRow['agent']['mismatch'] {
  if (v1 === null || v2 === null) return before;
  return before !== undefined && before.v2 > v2 ? before : { v1, v2 };
}

/** Rounds of an epoch taken together. */
function groupsWith(before: Groups | null, { solved, hopeless, trained, broken }: Groups): Groups {
  return {
    solved: (before?.solved ?? 0) + solved,
    hopeless: (before?.hopeless ?? 0) + hopeless,
    trained: (before?.trained ?? 0) + trained,
    broken: (before?.broken ?? 0) + broken,
  };
}
