/** One pass over everything a run has recorded, for the flags of all its tasks as they were recorded. */
import { wordingOf } from '../../../engine/wording.ts';
import type { Task } from '../../../shared/records/task.ts';
import { Breather } from '../../../runs/files/breather.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { WrongAnswers } from './answers.ts';
import { Duplicates } from './duplicates.ts';
import { coinFlipSuspicion, deadGroup, failingChecker, goldDisagrees, truncatedMajority } from './findings.ts';
import { bitOf, type HealthFlag, type HealthRules, type RunFlags, type ScanOptions } from '../contract.ts';
import type { HeldOut } from './heldOut.ts';
import { likenessIn, verify, wordsOf } from './likeness.ts';
import { waveringVerdict } from './scoredAgain.ts';
import type { Tallies } from './tallies.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/** Tasks that are held while their attempts are scored again. */
const held = 4096;
/** Tasks that are read at once. */
const together = 64;

interface Known {
  tallies: Tallies;
  heldOut: HeldOut;
}

/** @throws RunError; the signal's reason when it aborts */
export async function scanRun(
  run: RunReader,
  rules: HealthRules,
  { tallies, heldOut }: Known,
  { signal, onProgress }: ScanOptions,
): Promise<{ flags: RunFlags; duplicates: Duplicates }> {
  const { since = 0 } = rules;
  const masks = new Uint8Array(tallies.slots);
  const flag = (slot: number, name: HealthFlag['flag']): void => {
    masks[slot] = (masks[slot] ?? outOfRange()) | bitOf(name);
  };
  const { tasks, traces } = await run.rows();
  const [taskBytes, total] = [tasks.end, tasks.end + traces.end];
  const breather = new Breather();
  const tell = async (done: number): Promise<void> => {
    if (!(await breather.breathe())) return;
    signal.throwIfAborted();
    onProgress?.({ done, total });
  };

  const duplicates = duplicatesOf(run, rules, tallies);
  const goldFollows = new Uint8Array(tallies.slots);
  for await (const { task, slot } of tasksOf(run, tallies)) {
    await tell(slot < tallies.rows ? (tasks.offset[slot] ?? outOfRange()) : 0);
    if (rules.domain.goldFollows?.(task) === true) goldFollows[slot] = 1;
    const verified = verify(rules, task);
    if (!verified.ok) flag(slot, 'unverifiable');
    const like = likenessIn(rules, task, verified);
    if (like === null) continue;
    const repeats = task.origin === 'generated' && heldOut.repeats(wordingOf(rules.domain, task)) !== null;
    if (repeats || heldOut.find(like) !== null) flag(slot, 'held-out');
    await duplicates.add(slot, like);
  }

  const answers = new WrongAnswers(tallies.slots, tallies.failures);
  const judgedTasks = new HeldTasks(run, tallies);
  let row = 0;
  for await (const trace of run.traces()) {
    await tell(taskBytes + (traces.offset[row] ?? 0));
    row += 1;
    const counts = trace.purpose === 'train' && trace.epoch >= since;
    const slot = counts ? tallies.slotOf(trace.task) : -1;
    if (slot < 0) continue;
    const task = await judgedTasks.at(slot);
    answers.add(slot, trace, task);
    if (((masks[slot] ?? outOfRange()) & bitOf('not-deterministic')) !== 0) continue;
    if (task !== undefined && waveringVerdict(rules.scorer, task, [trace]) !== null) flag(slot, 'not-deterministic');
  }

  for (let slot = 0; slot < tallies.slots; slot++) {
    await tell(total);
    if (duplicates.twinOf(slot) !== null) flag(slot, 'duplicate');
    const tally = tallies.at(slot);
    for (const found of [
      failingChecker(tally, null),
      goldFollows[slot] === 1 ? null : goldDisagrees(tally, { times: answers.most(slot), text: null }),
      coinFlipSuspicion(tally, tallies.odds.without(tally.halves), tallies.middle),
      truncatedMajority(tally),
      deadGroup(tally),
    ]) {
      if (found !== null) flag(slot, found.flag);
    }
  }
  onProgress?.({ done: total, total });
  const given = tallies.given.map(({ id }, i) => [id, masks[tallies.rows + i] ?? outOfRange()] as const);
  return {
    flags: {
      recorded: masks.subarray(0, tallies.rows),
      given: new Map(given.filter(([, mask]) => mask !== 0)),
      givenTasks: tallies.given.filter(({ origin }) => origin !== 'validation').length,
    },
    duplicates,
  };
}

/** Duplicates alone. @throws RunError */
export async function findDuplicates(run: RunReader, rules: HealthRules, tallies: Tallies): Promise<Duplicates> {
  const duplicates = duplicatesOf(run, rules, tallies);
  const breather = new Breather();
  for await (const { task, slot } of tasksOf(run, tallies)) {
    await breather.breathe();
    const like = likenessIn(rules, task);
    if (like !== null) await duplicates.add(slot, like);
  }
  return duplicates;
}

const duplicatesOf = (run: RunReader, { domain }: HealthRules, tallies: Tallies): Duplicates =>
  new Duplicates(tallies.slots, async (slot) => {
    const task = await taskIn(run, tallies, slot);
    return task === undefined ? '' : wordsOf(domain, task);
  });

/** The task of a slot. @throws RunError */
export async function taskIn(run: RunReader, { rows, given }: Tallies, slot: number): Promise<Task | undefined> {
  if (slot >= rows) return given[slot - rows];
  const [task] = await run.tasksAt(slot, slot + 1);
  return task;
}

/** Given tasks first, so that repetitions count against later ones; then the run's recorded tasks. */
async function* tasksOf(run: RunReader, { rows, given }: Tallies): AsyncGenerator<{ task: Task; slot: number }> {
  for (const [i, task] of given.entries()) if (task.origin !== 'validation') yield { task, slot: rows + i };
  let row = 0;
  for await (const task of run.tasks()) {
    if (row >= rows) return;
    if (task.status === 'accepted') yield { task, slot: row };
    row += 1;
  }
}

/** Tasks of slots, read with their neighbours: attempts at one task are adjacent, and close to those at the next. */
class HeldTasks {
  readonly #run: RunReader;
  readonly #tallies: Tallies;
  /** By slot, the newest read last. */
  readonly #held = new Map<number, Task>();

  constructor(run: RunReader, tallies: Tallies) {
    this.#run = run;
    this.#tallies = tallies;
  }

  async at(slot: number): Promise<Task | undefined> {
    const known = this.#held.get(slot);
    if (known !== undefined) return known;
    const { rows, given } = this.#tallies;
    if (slot >= rows) return given[slot - rows];
    const first = slot - (slot % together);
    const tasks = await this.#run.tasksAt(first, first + together);
    for (const [i, task] of tasks.entries()) this.#held.set(first + i, task);
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= held) break;
      this.#held.delete(oldest);
    }
    return tasks[slot - first];
  }
}
