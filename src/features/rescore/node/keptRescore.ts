/** A rescoring whose verdicts and flips can be looked through, a window at a time, until it is let go. */
import { FaultGroups } from '../core/faultGroups.ts';
import type { CrossedFamily } from '../core/epochChange.ts';
import { fateOf, type Fate, type Flip } from '../contract/rejudged.ts';
import { RescoreDraft, type LinePlace } from '../../../runs/rescored/rescoreDraft.ts';
import type { RescoreRow, RescoreView } from '../contract/page.ts';
import { rescoreRun, type RescoreAsk, type RescoredRun, type RescoreTools } from './rescoreRun.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

const fates: readonly Fate[] = ['solved', 'failed', 'error'];

/** Flips as numbers: there may be as many as attempts. */
interface FlipColumns {
  offset: number[];
  length: number[];
  reward: number[];
  /** Place of the recorded fate in `fates`. */
  before: number[];
}

type CrossedRow = CrossedFamily & { epoch: number };

export class KeptRescore {
  readonly draft: RescoreDraft;
  readonly faults = new FaultGroups();
  readonly #flips: FlipColumns = { offset: [], length: [], reward: [], before: [] };
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
          if (flip !== null) kept.#add(flip, place);
        },
      });
      await kept.draft.flush();
      kept.#crossed = kept.#rescored.summary.epochs.flatMap(({ epoch, crossed }) =>
        crossed.map((one) => ({ ...one, epoch })),
      );
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
    if (view === 'families') return this.#crossed.length;
    return view === 'flips' ? this.#flips.offset.length : this.#to[view].length;
  }

  /** Rows [from, to) of a view. @throws RunError `format`, `unreadable` */
  async rows(view: RescoreView, from: number, to: number): Promise<RescoreRow[]> {
    if (view === 'families') return this.#crossed.slice(from, to).map((one) => ({ kind: 'family', ...one }));
    const last = Math.min(to, this.count(view));
    const rows: RescoreRow[] = [];
    for (let row = from; row < last; row++) rows.push(await this.#row(view === 'flips' ? row : this.#to[view][row]));
    return rows;
  }

  async dispose(): Promise<void> {
    await this.draft.dispose();
  }

  #add({ verdict, fate }: Flip, { offset, length }: LinePlace): void {
    this.#to[fate.after].push(this.#flips.offset.length);
    this.#flips.offset.push(offset);
    this.#flips.length.push(length);
    this.#flips.reward.push(verdict.before.reward);
    this.#flips.before.push(fates.indexOf(fate.before));
  }

  async #row(flip = 0): Promise<RescoreRow> {
    const { offset, length, reward, before } = this.#flips;
    const { id, epoch, verdict } = await this.draft.at({
      offset: offset[flip] ?? outOfRange(),
      length: length[flip] ?? outOfRange(),
    });
    return {
      ...{ kind: 'flip', id, epoch },
      fate: { before: fates[before[flip] ?? outOfRange()] ?? 'error', after: fateOf(verdict) },
      reward: { before: reward[flip] ?? outOfRange(), after: verdict.reward },
      note: verdict.error ?? verdict.note ?? null,
    };
  }
}
