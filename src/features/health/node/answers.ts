/** The answers of attempts, to find the most common wrong answer of every task in one pass. */
import type { Trace } from '../../../shared/records/trace.ts';
import { hashOf } from '../../../runs/index/recordRow.ts';
import { HashTable } from '../../../shared/hashTable.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/** All messages of the agent with normalised blanks: equal for attempts with the same answer. */
const answerOf = ({ messages }: Pick<Trace, 'messages'>): string =>
  messages
    .flatMap(({ role, content }) => (role === 'assistant' ? [content] : []))
    .join('\n')
    .trim()
    .replaceAll(/\s+/g, ' ');

/** A finished, well-formed answer that was judged wrong. */
const isWrong = ({ verdict }: Pick<Trace, 'verdict'>): boolean =>
  verdict.valid && !verdict.success && verdict.error === undefined;

/** How often each task's most common wrong answer was given; answers are held as 64 bits of hash. */
export class WrongAnswers {
  readonly #times: HashTable;
  readonly #most: Uint32Array;

  /** @param attempts most that can be wrong */
  constructor(slots: number, attempts: number) {
    this.#times = new HashTable(attempts);
    this.#most = new Uint32Array(slots);
  }

  add(slot: number, trace: Trace): void {
    if (!isWrong(trace)) return;
    const { low, high } = hashOf(`${slot} ${answerOf(trace)}`);
    const times = (this.#times.get(low, high) ?? 0) + 1;
    this.#times.set(low, high, times);
    this.#most[slot] = Math.max(this.#most[slot] ?? outOfRange(), times);
  }

  most(slot: number): number {
    return this.#most[slot] ?? outOfRange();
  }
}

/** The most common wrong answer of some attempts; null where none was wrong. */
export function mostCommonWrong(traces: readonly Trace[]): { text: string; times: number } | null {
  const times = new Map<string, number>();
  let most: { text: string; times: number } | null = null;
  for (const trace of traces) {
    if (!isWrong(trace)) continue;
    const text = answerOf(trace);
    const now = (times.get(text) ?? 0) + 1;
    times.set(text, now);
    if (most === null || now > most.times) most = { text, times: now };
  }
  return most;
}
