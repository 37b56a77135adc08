/** The page's data of the run: the host's messages, folded. */
import { FamilyColumns } from '../../src/shared/calibration/familyColumns.ts';
import { largest, smallest } from '../../src/shared/extremes.ts';
import { domainsIn, epochOfDomain, validationOfDomain } from '../../src/shared/report/oneDomain.ts';
import type { ChangeMark, EpochRow, EvaluationRow, ValidationRow } from '../../src/shared/report/data.ts';
import type {
  CalibrationData,
  CalibrationFacts,
  CalibrationProgress,
  RewardRow,
} from '../../src/features/calibration/contract.ts';
import { CloudIndex } from '../charts/cloud/cloudIndex.ts';
import { outOfRange } from '../../src/shared/outOfRange.ts';

/** Why families of an epoch were not kept. */
export interface LeftOut {
  kept: number;
  tooHard: number;
  tooEasy: number;
  /** p̂ is in the band, and nothing is learned from them: R_env is not known, or the environment is not trained. */
  inBand: number;
  /** Without a judged attempt. */
  unmeasured: number;
}

export class RunModel {
  facts: CalibrationFacts | null = null;
  progress: CalibrationProgress = { phases: [], pausing: 'no', silences: [] };
  /** The journal has been read to its end. */
  complete = false;
  failure: { message: string; remedy: string } | null = null;
  readonly columns = new FamilyColumns();
  readonly index = new CloudIndex(this.columns);
  marks: ChangeMark[] = [];
  #domain: string | null = null;
  readonly #whole = new ByEpoch<EpochRow>();
  /** Of the chosen domain; made on demand. */
  #own: ByEpoch<EpochRow> | null = null;
  readonly #validations = new ByEpoch<ValidationRow>();
  readonly #evaluations = new ByEpoch<EvaluationRow>();
  readonly #rewards = new ByEpoch<RewardRow>();
  readonly #leftOut = new Map<number, LeftOut>();

  /** In order, each list. */
  get rows(): readonly EpochRow[] {
    return this.#rows.all;
  }

  /** Those of all domains together, whichever is chosen: the input of scoring again. */
  get wholeRows(): readonly EpochRow[] {
    return this.#whole.all;
  }

  get validations(): readonly ValidationRow[] {
    const name = this.#domain;
    const { all } = this.#validations;
    return name === null ? all : all.flatMap((row) => validationOfDomain(row, name) ?? []);
  }

  /** The run's domains where it has several, else none. */
  get domains(): readonly string[] {
    return domainsIn(this.#whole.all);
  }

  /** Which of several domains rows, validations and families are of; null for all. */
  get domain(): string | null {
    return this.#domain;
  }

  chooseDomain(name: string | null): void {
    this.#domain = name;
    this.#own = null;
    this.index.choose(name);
  }

  get evaluations(): readonly EvaluationRow[] {
    return this.#evaluations.all;
  }

  get rewards(): readonly RewardRow[] {
    return this.#rewards.all;
  }

  row(epoch: number): EpochRow | undefined {
    return this.#rows.get(epoch);
  }

  /** The newest epoch with a measured p̂. */
  get lastMeasured(): EpochRow | undefined {
    return this.rows.findLast(({ successRate }) => successRate !== null);
  }

  /** First and last epoch of every chart's axis; epoch 0 is the validation before any training. */
  get span(): readonly [number, number] {
    const lists = [this.rows, this.validations, this.evaluations];
    const firsts = lists.flatMap((list) => list[0]?.epoch ?? []);
    const lasts = lists.flatMap((list) => list.at(-1)?.epoch ?? []);
    return firsts.length === 0 ? [0, 1] : [smallest(firsts), largest(lasts)];
  }

  leftOut(epoch: number): LeftOut | undefined {
    const scored = this.#domain === null ? undefined : this.columns.epoch(epoch);
    if (scored === undefined) return this.#leftOut.get(epoch);
    return this.#count(scored, this.#domain);
  }

  get #rows(): ByEpoch<EpochRow> {
    const name = this.#domain;
    if (name === null) return this.#whole;
    if (this.#own === null) {
      this.#own = new ByEpoch();
      this.#own.put(this.#whole.all.map((row) => epochOfDomain(row, name)));
    }
    return this.#own;
  }

  open(facts: CalibrationFacts, progress: CalibrationProgress): void {
    this.facts = facts;
    this.progress = progress;
    this.complete = false;
    this.failure = null;
    this.columns.clear();
    this.index.clear();
    this.marks = [];
    this.#own = null;
    for (const known of [this.#whole, this.#validations, this.#evaluations, this.#rewards]) known.clear();
    this.#leftOut.clear();
  }

  add({ rows, validations, evaluations, marks, families, rewards }: CalibrationData): void {
    this.#whole.put(rows);
    this.#own = null;
    this.#validations.put(validations);
    this.#evaluations.put(evaluations);
    this.#rewards.put(rewards);
    this.marks = [...this.marks, ...marks];
    if (families === null) return;
    const before = this.columns.epochs.length;
    this.columns.append(families);
    this.index.sync();
    for (const scored of this.columns.epochs.slice(before)) {
      this.#leftOut.set(scored.epoch, this.#count(scored, null));
    }
  }

  #count({ epoch, from, to }: { epoch: number; from: number; to: number }, domain: string | null): LeftOut {
    const { alpha, kMin } = this.#whole.get(epoch)?.curriculum ?? { alpha: 0.5, kMin: 0 };
    const counts: LeftOut = { kept: 0, tooHard: 0, tooEasy: 0, inBand: 0, unmeasured: 0 };
    const { successes, attempts, kept } = this.columns;
    for (let family = from; family < to; family++) {
      if (domain !== null && this.columns.domainOf(family) !== domain) continue;
      const n = attempts[family] ?? outOfRange();
      if ((kept[family] ?? outOfRange()) > 0) counts.kept += 1;
      else if (n === 0) counts.unmeasured += 1;
      else {
        const distance = (successes[family] ?? outOfRange()) / n - alpha;
        if (Math.abs(distance) <= kMin) counts.inBand += 1;
        else if (distance < 0) counts.tooHard += 1;
        else counts.tooEasy += 1;
      }
    }
    return counts;
  }
}

/** Rows by epoch, in order; a row replaces the one of its epoch. */
class ByEpoch<T extends { epoch: number }> {
  all: T[] = [];
  readonly #at = new Map<number, number>();

  get(epoch: number): T | undefined {
    const at = this.#at.get(epoch);
    return at === undefined ? undefined : this.all[at];
  }

  put(rows: readonly T[]): void {
    let ordered = true;
    for (const row of rows) {
      const at = this.#at.get(row.epoch);
      if (at !== undefined) this.all[at] = row;
      else {
        ordered &&= (this.all.at(-1)?.epoch ?? -1) < row.epoch;
        this.#at.set(row.epoch, this.all.push(row) - 1);
      }
    }
    if (ordered) return;
    this.all.sort((a, b) => a.epoch - b.epoch);
    for (const [at, { epoch }] of this.all.entries()) this.#at.set(epoch, at);
  }

  clear(): void {
    this.all = [];
    this.#at.clear();
  }
}
