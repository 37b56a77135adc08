/** The answers of attempts, to find the most common wrong answer of every task in one pass. */
import { finalOf } from '../../../benchmarks/adapter/answers/finalOf.ts';
import { lastTurn } from '../../../benchmarks/adapter/answers/parseAnswer.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { hashOf } from '../../../runs/index/recordRow.ts';
import { HashTable } from '../../../shared/hashTable.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/**
 * The answer, with normalised blanks: read as the task says, so that the way to it makes no difference, else all
 * messages of the agent.
 */
function answerOf({ messages }: Pick<Trace, 'messages'>, task: Pick<Task, 'evaluation'> | undefined): string {
  const said = messages.flatMap(({ role, content }) => (role === 'assistant' ? [content] : [])).join('\n');
  return (finalOf(lastTurn(messages), task, said) ?? said).trim().replaceAll(/\s+/g, ' ');
}

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

  add(slot: number, trace: Trace, task: Task | undefined): void {
    if (!isWrong(trace)) return;
    const { low, high } = hashOf(`${slot} ${answerOf(trace, task)}`);
    const times = (this.#times.get(low, high) ?? 0) + 1;
    this.#times.set(low, high, times);
    this.#most[slot] = Math.max(this.#most[slot] ?? outOfRange(), times);
  }

  most(slot: number): number {
    return this.#most[slot] ?? outOfRange();
  }
}

/** The most common wrong answer of attempts at a task; null where none was wrong. */
export function mostCommonWrong(traces: readonly Trace[], task: Task): { text: string; times: number } | null {
  const times = new Map<string, number>();
  let most: { text: string; times: number } | null = null;
  for (const trace of traces) {
    if (!isWrong(trace)) continue;
    const text = answerOf(trace, task);
    const now = (times.get(text) ?? 0) + 1;
    times.set(text, now);
    if (most === null || now > most.times) most = { text, times: now };
  }
  return most;
}
