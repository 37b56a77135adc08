import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { wordingOf } from '../../../engine/wording.ts';
import { flagNames } from '../../tasks/contract.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { mostCommonWrong } from './answers.ts';
import { withOverlay } from '../../../shared/records/taskEdit.ts';
import { editedSince, judgedAgain, tallyOf, type Edited } from './editedAttempts.ts';
import { bitOf } from '../contract.ts';
import type { Duplicates } from './duplicates.ts';
import { coinFlipSuspicion, deadGroup, failingChecker, goldDisagrees, truncatedMajority } from './findings.ts';
import type { HealthFlag, HealthRules, RunFlags, ScanOptions, TaskHealth } from '../contract.ts';
import { HeldOut } from './heldOut.ts';
import { LeftOutTasks, type LeftOut } from './leftOut.ts';
import { likenessIn, verify } from './likeness.ts';
import { findDuplicates, scanRun, taskIn } from './runScan.ts';
import { waveringVerdict } from './scoredAgain.ts';
import { Tallies, type Tally } from './tallies.ts';
import { duplicateWords, unverifiedWords, heldOutWords, notDeterministicWords, repeatsWords } from './words.ts';

/** Runs up to this many task records are scanned for duplicates while the user waits for one task. */
const soon = 5000;

/** How many records there were when something was found out, and how often any were left out. */
interface Counted<T> {
  tasks: number;
  traces: number;
  leftOut: number;
  value: Promise<T>;
}

export class RunHealth implements TaskHealth {
  readonly #run: RunReader;
  readonly #rules: HealthRules;
  readonly #leftOut: LeftOutTasks;
  #heldOut: HeldOut | null = null;
  #tallies: Counted<Tallies> | null = null;
  #duplicates: Duplicates | null = null;
  /** Task records that `#duplicates` knows. */
  #known = 0;

  constructor(run: RunReader, rules: HealthRules) {
    this.#run = run;
    this.#rules = rules;
    this.#leftOut = new LeftOutTasks(run.dir);
  }

  async of(task: Task): Promise<readonly HealthFlag[]> {
    // A rejected text is no task, and has its own reason.
    if (task.cause !== undefined) return [];
    const tallies = await this.#tallied();
    const slot = tallies.slotOf(task.id);
    const recorded = (await this.#recorded(task.id)) ?? task;
    const edited = editedSince(recorded, task);
    const traces = await this.#attempts(task.id);
    const found = [
      this.#verified(task),
      ...this.#attempted(task, edited, { traces, tallies, tally: tallies.at(slot) }),
      this.#wavering(task, recorded, traces),
      ...(await this.#likes(task, { slot, tallies, reworded: edited === 'reworded' })),
    ].filter((flag) => flag !== null);
    // A checker that gives up says less than a task that does not verify.
    const told = found.filter(({ flag }, i) => found.findIndex((one) => one.flag === flag) === i);
    return told.sort((a, b) => flagNames.indexOf(a.flag) - flagNames.indexOf(b.flag));
  }

  async scan(options: ScanOptions): Promise<RunFlags> {
    const leftOut = await this.#leftOut.now(options.signal);
    const tallies = await Tallies.of(this.#run, this.#counted(leftOut), options.signal);
    const { flags, duplicates } = await scanRun(this.#run, this.#rules, { tallies, heldOut: this.#held }, options);
    this.#duplicates = duplicates;
    this.#known = tallies.rows;
    const given = new Map(flags.given);
    for (const [id, overlay] of (await this.#rules.overlays?.()) ?? []) {
      options.signal.throwIfAborted();
      const task = Object.keys(overlay.fields).length === 0 ? undefined : await this.#recorded(id);
      if (task === undefined) continue;
      const now = await this.of(withOverlay(task, { ...overlay, excluded: null }));
      const mask = now.reduce((bits, { flag }) => bits | bitOf(flag), 0);
      const slot = tallies.slotOf(id);
      if (slot < tallies.rows) flags.recorded[slot] = mask;
      else if (mask === 0) given.delete(id);
      else given.set(id, mask);
    }
    return { ...flags, given };
  }

  get #held(): HeldOut {
    const { domain, measured } = this.#rules;
    return (this.#heldOut ??= new HeldOut(domain, measured?.testSets, measured?.run));
  }

  #verified(task: Task): HealthFlag | null {
    const verified = verify(this.#rules, task);
    return verified.ok ? null : { flag: 'unverifiable', why: unverifiedWords(verified.note) };
  }

  /**
   * Evidence of attempts: those at another wording count for nothing, those judged by another gold are judged again.
   */
  #attempted(
    task: Task,
    edited: Edited,
    { traces, tallies, tally: recorded }: { traces: readonly Trace[]; tallies: Tallies; tally: Tally },
  ): (HealthFlag | null)[] {
    if (edited === 'reworded') return [];
    const { scorer, domain } = this.#rules;
    const judged = edited === 'rejudged' ? judgedAgain(scorer, task, traces) : traces;
    const tally = edited === 'rejudged' ? tallyOf(judged, recorded, tallies.middle) : recorded;
    const error = judged.find(({ verdict }) => verdict.error !== undefined)?.verdict.error ?? null;
    const wrong = domain.goldFollows?.(task) === true ? null : mostCommonWrong(judged, task);
    return [
      failingChecker(tally, error),
      wrong === null ? null : goldDisagrees(tally, wrong),
      coinFlipSuspicion(tally, tallies.odds.without(recorded.halves), tallies.middle),
      truncatedMajority(tally),
      deadGroup(tally),
    ];
  }

  #wavering(task: Task, recorded: Task, traces: readonly Trace[]): HealthFlag | null {
    const { scorer } = this.#rules;
    // Attempts since an edit were judged by the edited task.
    const same = editedSince(recorded, task) === 'as recorded';
    const unsaid = traces.filter((trace) => same || waveringVerdict(scorer, task, [trace]) !== null);
    const found = waveringVerdict(scorer, recorded, unsaid);
    if (found === null) return null;
    return {
      flag: 'not-deterministic',
      why: notDeterministicWords(found.trace, found.verdicts, found.consistent),
    };
  }

  /** Duplicates and held-out tasks that say the same. */
  async #likes(
    task: Task,
    { slot, tallies, reworded }: { slot: number; tallies: Tallies; reworded: boolean },
  ): Promise<HealthFlag[]> {
    const like = likenessIn(this.#rules, task);
    if (like === null || task.origin === 'validation') return [];
    const flags: HealthFlag[] = [];
    const heldOut = this.#held.find(like);
    const repeated = task.origin === 'generated' ? this.#held.repeats(wordingOf(this.#rules.domain, task)) : null;
    if (heldOut !== null) flags.push({ flag: 'held-out', why: heldOutWords(heldOut.id, heldOut.alike) });
    else if (repeated !== null) flags.push({ flag: 'held-out', why: repeatsWords(repeated.id, repeated.words) });
    const duplicates = await this.#findDuplicates(tallies);
    // A task as it was recorded knows its twin also where it is the first of its likes.
    const twin = (await duplicates?.find(slot, like)) ?? (reworded ? null : duplicates?.twinOf(slot)) ?? null;
    const other = twin === null ? undefined : await taskIn(this.#run, tallies, twin.slot);
    if (twin !== null && other !== undefined)
      flags.push({ flag: 'duplicate', why: duplicateWords(other.id, twin.alike) });
    return flags;
  }

  async #findDuplicates(tallies: Tallies): Promise<Duplicates | null> {
    if (this.#duplicates !== null && this.#known === tallies.rows) return this.#duplicates;
    if (tallies.rows > soon) return this.#duplicates;
    this.#duplicates = await findDuplicates(this.#run, this.#rules, tallies);
    this.#known = tallies.rows;
    return this.#duplicates;
  }

  async #attempts(task: string): Promise<Trace[]> {
    const { since = 0 } = this.#rules;
    const epochs = (await this.#run.epochsAttempting(task)).filter((epoch) => epoch >= since);
    const all = await Promise.all(epochs.map((epoch) => this.#run.attemptsAt(task, epoch)));
    return all.flat().filter(({ purpose }) => purpose === 'train');
  }

  async #recorded(id: string): Promise<Task | undefined> {
    return (await this.#run.task(id)) ?? this.#rules.given.find((task) => task.id === id);
  }

  #counted(leftOut: ReadonlyMap<string, LeftOut>) {
    const { given, since } = this.#rules;
    return { given, leftOut, since };
  }

  async #tallied(): Promise<Tallies> {
    const leftOut = await this.#leftOut.now();
    const { times } = this.#leftOut;
    const { tasks, traces } = await this.#run.rows();
    const known = this.#tallies;
    if (known?.tasks === tasks.count && known.traces === traces.count && known.leftOut === times) return known.value;
    const value = Tallies.of(this.#run, this.#counted(leftOut));
    this.#tallies = { tasks: tasks.count, traces: traces.count, leftOut: times, value };
    return value;
  }
}
