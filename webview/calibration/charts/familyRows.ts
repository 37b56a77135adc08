/** Families of some stretches as the rows of one table. */
import type { Stretch } from '../../charts/cloud/cloudIndex.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';

interface Part extends Stretch {
  /** Rows before its first. */
  before: number;
}

export class FamilyRows {
  readonly count: number;
  readonly #parts: Part[] = [];
  /** Rows are asked for one after the other. */
  #last: Part | undefined;

  constructor(stretches: readonly Stretch[]) {
    let before = 0;
    for (const stretch of stretches) {
      this.#parts.push({ ...stretch, before });
      before += stretch.to - stretch.from;
    }
    this.count = before;
  }

  at(row: number): { epoch: number; place: number } {
    const holds = ({ before, from, to }: Part): boolean => row >= before && row < before + to - from;
    if (this.#last === undefined || !holds(this.#last)) this.#last = this.#parts.find(holds);
    const { epoch, from, before } = this.#last ?? outOfRange();
    return { epoch, place: from + row - before };
  }
}
