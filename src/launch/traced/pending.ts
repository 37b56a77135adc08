/** Calls and steps that wait for the record of the attempt that they belong to. */
import { append } from '../../shared/append.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Trace } from '../../shared/records/trace.ts';
import type { ModelCall, Times, ToolStep } from './watchedPorts.ts';

/** Of a record that never comes nothing is left behind it: the oldest go. */
const most = 20_000;

export class Pending {
  /** By the id of their request, without the number of an attempt's own requests. */
  readonly #calls = new Map<string, ModelCall[]>();
  readonly #episodes = new Map<string, (readonly ToolStep[])[]>();
  readonly #judged = new Map<string, Times>();
  readonly #judgedMessages = new WeakMap<readonly Message[], Times>();

  called(call: ModelCall): void {
    appendTo(this.#calls, call.request.id.replace(/#\d+$/, ''), call);
  }

  played(task: string, steps: readonly ToolStep[]): void {
    appendTo(this.#episodes, task, steps);
  }

  judged(by: string | readonly Message[], times: Times): void {
    if (typeof by !== 'string') this.#judgedMessages.set(by, times);
    else {
      this.#judged.set(by, times);
      forgetOldest(this.#judged);
    }
  }

  /** All that belongs to an attempt, in order of time; it is forgotten. */
  take(trace: Trace): { calls: ModelCall[]; steps: readonly ToolStep[]; judged: Times | undefined } {
    const said = trace.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content);
    const later = this.#calls.get(trace.id) ?? [];
    this.#calls.delete(trace.id);
    const first = this.#first(trace, said[0]);
    const judged = this.#judged.get(trace.id) ?? this.#judgedMessages.get(trace.messages);
    this.#judged.delete(trace.id);
    return { calls: [...first, ...later], steps: this.#steps(trace, said), judged };
  }

  /** Calls of no attempt that began before a moment; they are forgotten. */
  leftFrom(before: number): ModelCall[] {
    const old: ModelCall[] = [];
    for (const [id, calls] of this.#calls) {
      const rest = calls.filter((call) => call.start >= before || (old.push(call), false));
      if (rest.length === 0) this.#calls.delete(id);
      else this.#calls.set(id, rest);
    }
    return old;
  }

  /** Steps of no attempt, as of episodes that died, the last of which ended before a moment; they are forgotten. */
  stepsLeftFrom(before: number): ToolStep[] {
    const old: ToolStep[] = [];
    for (const [task, episodes] of this.#episodes) {
      const rest = episodes.filter((steps) => {
        const isOver = (steps.at(-1)?.end ?? before) < before;
        if (isOver) append(old, steps);
        return !isOver;
      });
      if (rest.length === 0) this.#episodes.delete(task);
      else this.#episodes.set(task, rest);
    }
    return old;
  }

  /** The attempts of a task share one request for their first turns. */
  #first({ id, task }: Trace, said: string | undefined): ModelCall[] {
    const calls = this.#calls.get(task) ?? [];
    const index = Number(/\/r(\d+)$/.exec(id)?.[1] ?? Number.NaN);
    const ours = calls.filter(({ answer }) => answer.index === index);
    const call = ours.find(({ answer }) => 'text' in answer && answer.text === said) ?? ours[0];
    if (call === undefined) return [];
    if (calls.length === 1) this.#calls.delete(task);
    else calls.splice(calls.indexOf(call), 1);
    return [call];
  }

  /** Of the episode that answered just this, each turn but a cut one; if several did, of the one whose very messages were recorded. */
  #steps({ task, messages, stopReason }: Trace, said: readonly string[]): readonly ToolStep[] {
    const episodes = this.#episodes.get(task) ?? [];
    const answered = said.slice(0, stopReason === 'length' ? -1 : said.length);
    const fitting = episodes.filter(
      (steps) =>
        steps.length === answered.length &&
        steps.every(({ action, error }, i) => action === answered[i] && error === undefined),
    );
    const ours =
      fitting.find((steps) => steps.every(({ answer }) => answer.every((one) => messages.includes(one)))) ?? fitting[0];
    if (ours === undefined) return [];
    if (episodes.length === 1) this.#episodes.delete(task);
    else episodes.splice(episodes.indexOf(ours), 1);
    return ours;
  }
}

function appendTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const there = map.get(key);
  if (there !== undefined) there.push(value);
  else {
    map.set(key, [value]);
    forgetOldest(map);
  }
}

function forgetOldest(map: Map<string, unknown>): void {
  if (map.size <= most) return;
  for (const [oldest] of map) {
    map.delete(oldest);
    return;
  }
}
