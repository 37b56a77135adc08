/** A rescoring whose verdicts and flips can be looked through, a window at a time, until it is let go. */
import { FaultGroups } from '../core/faultGroups.ts';
import type { CrossedFamily } from '../core/epochChange.ts';
import { fateOf, type Change, type Fate, type Flip, type Rejudged } from '../contract/rejudged.ts';
import { RescoreDraft, type LinePlace } from '../../../runs/rescored/rescoreDraft.ts';
import type { RescoreRow, RescoreView } from '../contract/page.ts';
import { rescoreRun, type RescoreAsk, type RescoredRun, type RescoreTools } from './rescoreRun.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

const fates: readonly Fate[] = ['solved', 'failed', 'error'];

/** Attempts as numbers: there may be millions. */
interface AttemptColumns {
  offset: number[];
  length: number[];
  reward: number[];
  /** Place of the recorded fate in `fates`. */
  before: number[];
  /** How far the reward moves. */
  move: number[];
}

const groupKey = (epoch: number, task: string): string => `${epoch} ${task}`;

type CrossedRow = CrossedFamily & { epoch: number };

export class KeptRescore {
  readonly draft: RescoreDraft;
  readonly faults = new FaultGroups();
  readonly #all: AttemptColumns = { offset: [], length: [], reward: [], before: [], move: [] };
  readonly #flips: number[] = [];
  /** Other rewards, the largest move first. */
  readonly #moved: number[] = [];
  readonly #turned: number[] = [];
  readonly #advantages = new Map<number, Change<number>>();
  /** Training attempts by epoch and task, in recorded order; let go once scored. */
  readonly #groups = new Map<string, number[]>();
  /** Flips by the fate they come to. */
  readonly #to: Record<Fate, number[]> = { solved: [], failed: [], error: [] };
  #rescored: RescoredRun | null = null;
  #crossed: CrossedRow[] = [];

  private constructor(draft: RescoreDraft) {
    this.draft = draft;
  }

  /** @throws the errors of `rescoreRun`; RunError `disk-full`, `unwritable` */
  static async make(ask: RescoreAsk, tools: Omit<RescoreTools, 'onJudged'>): Promise<KeptRescore> {
    const kept = new KeptRescore(await RescoreDraft.create());
    try {
      kept.#rescored = await rescoreRun(ask, {
        ...tools,
        onJudged: async ({ attempt, flip, fault }) => {
          const { id, epoch, task, verdict } = attempt;
          const place = await kept.draft.add({ v: 1, id, epoch, task, verdict: verdict.after });
          if (fault !== null) kept.faults.add(fault, id);
          kept.#add(attempt, flip, place);
        },
      });
      await kept.draft.flush();
      kept.#crossed = kept.#rescored.summary.epochs.flatMap(({ epoch, crossed }) =>
        crossed.map((one) => ({ ...one, epoch })),
      );
      kept.#order();
      return kept;
    } catch (error) {
      await kept.dispose();
      throw error;
    }
  }

  get rescored(): RescoredRun {
    if (this.#rescored === null) throw new Error('Unreachable: it is used only once it is made.');
    return this.#rescored;
  }

  /** Rows of a view. */
  count(view: RescoreView): number {
    return view === 'families' ? this.#crossed.length : this.#of(view).length;
  }

  /** Rows [from, to) of a view. @throws RunError `format`, `unreadable` */
  async rows(view: RescoreView, from: number, to: number): Promise<RescoreRow[]> {
    if (view === 'families') return this.#crossed.slice(from, to).map((one) => ({ kind: 'family', ...one }));
    const last = Math.min(to, this.count(view));
    const rows: RescoreRow[] = [];
    for (let row = from; row < last; row++) rows.push(await this.#row(this.#of(view)[row]));
    return rows;
  }

  async dispose(): Promise<void> {
    await this.draft.dispose();
  }

  /** Attempts of a view, by their place. */
  #of(view: Exclude<RescoreView, 'families'>): readonly number[] {
    switch (view) {
      case 'flips':
        return this.#flips;
      case 'moved':
        return this.#moved;
      case 'turned':
        return this.#turned;
      default:
        return this.#to[view];
    }
  }

  #add({ purpose, epoch, task, verdict }: Rejudged, flip: Flip | null, { offset, length }: LinePlace): void {
    const at = this.#all.offset.length;
    this.#all.offset.push(offset);
    this.#all.length.push(length);
    this.#all.reward.push(verdict.before.reward);
    this.#all.before.push(fates.indexOf(fateOf(verdict.before)));
    this.#all.move.push(Math.abs(verdict.after.reward - verdict.before.reward));
    if (flip !== null) {
      this.#flips.push(at);
      this.#to[flip.fate.after].push(at);
    }
    const judged = verdict.before.error === undefined && verdict.after.error === undefined;
    if (judged && verdict.before.reward !== verdict.after.reward) this.#moved.push(at);
    if (purpose !== 'train') return;
    const group = this.#groups.get(groupKey(epoch, task));
    if (group === undefined) this.#groups.set(groupKey(epoch, task), [at]);
    else group.push(at);
  }

  /** Once all are judged and every epoch is scored. */
  #order(): void {
    const moveOf = (at: number): number => this.#all.move[at] ?? outOfRange();
    this.#moved.sort((a, b) => moveOf(b) - moveOf(a) || a - b);
    for (const { turned } of this.rescored.summary.epochs) {
      for (const { task, attemptedIn, at, advantage } of turned) {
        const attempt = this.#groups.get(groupKey(attemptedIn, task))?.[at] ?? outOfRange();
        this.#turned.push(attempt);
        this.#advantages.set(attempt, advantage);
      }
    }
    const changeOf = (at: number): number => {
      const { before, after } = this.#advantages.get(at) ?? outOfRange();
      return Math.abs(after - before);
    };
    this.#turned.sort((a, b) => changeOf(b) - changeOf(a) || a - b);
    this.#groups.clear();
  }

  async #row(flip = 0): Promise<RescoreRow> {
    const { offset, length, reward, before } = this.#all;
    const { id, epoch, verdict } = await this.draft.at({
      offset: offset[flip] ?? outOfRange(),
      length: length[flip] ?? outOfRange(),
    });
    return {
      ...{ kind: 'flip', id, epoch },
      fate: { before: fates[before[flip] ?? outOfRange()] ?? 'error', after: fateOf(verdict) },
      reward: { before: reward[flip] ?? outOfRange(), after: verdict.reward },
      advantage: this.#advantages.get(flip) ?? null,
      note: verdict.error ?? verdict.note ?? null,
    };
  }
}
