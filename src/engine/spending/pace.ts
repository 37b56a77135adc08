/** Which requests are sent when: all at once, or, under a budget, one after another while there is room and money. */
import { append } from '../../shared/append.ts';
import type { SampleRequest } from '../ports.ts';

/** Decides whether anything further may begin, and counts what is under way. */
export interface Gate {
  /** Asked for something that waits: once the answer is no, nothing further of the epoch begins. */
  admits: () => boolean;
  /** Whether it turned something away. */
  isClosed: () => boolean;
  begin: (completions: number) => void;
  end: (completions: number) => void;
}

/** Completions that a request asks for. */
export const completionsOf = ({ n, only }: SampleRequest): number => only?.length ?? n;

export class Pace {
  readonly #gate: Gate | null;
  readonly #atOnce: number;
  readonly #inBatches: boolean;
  readonly #waiting: SampleRequest[];
  #underWay = 0;
  #sending = false;

  /**
   * @param gate null: everything is sent at once
   * @param policy `concurrency`: completions under way at once; `deterministic`: one batch ends before the next, so that
   *   the order of answers does not depend on chance
   */
  constructor(
    requests: readonly SampleRequest[],
    gate: Gate | null,
    { concurrency, deterministic }: { concurrency: number; deterministic: boolean },
  ) {
    this.#waiting = [...requests];
    this.#gate = gate;
    this.#atOnce = concurrency;
    this.#inBatches = deterministic;
  }

  /** More requests, behind those that wait. */
  add(requests: readonly SampleRequest[]): void {
    append(this.#waiting, requests);
  }

  /** The requests to send now: none while there is no room, and none any more once the gate is closed. */
  next(): SampleRequest[] {
    if (this.#gate === null) return this.#waiting.splice(0);
    if (this.#sending && this.#inBatches) return [];
    const next: SampleRequest[] = [];
    for (const request of this.#waiting) {
      if (this.#underWay >= this.#atOnce || !this.#gate.admits()) break;
      next.push(request);
      this.#underWay += completionsOf(request);
      this.#gate.begin(completionsOf(request));
    }
    this.#waiting.splice(0, next.length);
    this.#sending = true;
    return next;
  }

  /** A completion, with everything that followed it, has come to its end. */
  ended(): void {
    if (this.#underWay === 0) return;
    this.#underWay -= 1;
    this.#gate?.end(1);
  }

  /** Everything that was sent is answered; completions that never came are no longer waited for. */
  settled(): void {
    this.#gate?.end(this.#underWay);
    this.#underWay = 0;
    this.#sending = false;
  }
}
