import type { Change, Judgement } from '../contract/rejudged.ts';

/** Numbers of one judgement: whether it is solved, and its reward; the reward is NaN where there is none. */
const width = 2;

/** Judgements of one task's attempts as plain numbers: a run may have millions. */
export class PackedGroup {
  readonly #numbers: number[] = [];

  add({ before, after }: Change<Judgement>): void {
    for (const { success, reward, error } of [before, after])
      this.#numbers.push(success ? 1 : 0, error === undefined ? reward : NaN);
  }

  /** In the order in which they came. */
  judgements(): Change<Judgement>[] {
    const attempts = this.#numbers.length / (2 * width);
    return Array.from({ length: attempts }, (_, i) => ({ before: this.#at(2 * i), after: this.#at(2 * i + 1) }));
  }

  #at(index: number): Judgement {
    const [success, reward = NaN] = this.#numbers.slice(index * width, (index + 1) * width);
    return Number.isNaN(reward) ? { success: false, reward: 0, error: '' } : { success: success === 1, reward };
  }
}
