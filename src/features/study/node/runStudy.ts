/** A study executed member by member: begun, carried on after anything, cancelled by a signal. Used by terminal and runner. */
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Time } from '../../../endpoints/time.ts';
import { EndAsked } from '../../../engine/errors.ts';
import type { Clock, Log } from '../../../engine/ports.ts';
import { InputError } from '../../../launch/inputs/inputError.ts';
import type { Keys } from '../../../launch/access/keys.ts';
import type { Landing, Launch } from '../../../launch/launch.ts';
import type { TracesTarget } from '../../../launch/traced/target.ts';
import { patientLaunch, type Waiting } from '../../../launch/tries/patientLaunch.ts';
import { nodeFiles } from '../../../runs/files/fileOperations.ts';
import { isThere } from '../../../runs/files/isThere.ts';
import { readJournal } from '../../../runs/journal/journalFile.ts';
import { Lease } from '../../../runs/lease/lease.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import type { RunStore } from '../../../runs/store/runStore.ts';
import { defined } from '../../../shared/defined.ts';
import type { Budget, MemberSummary } from '../contract/file.ts';
import type { Member } from '../core/plan.ts';
import { halve, sequentialDecisions } from '../core/racing.ts';
import { SummaryFold } from '../core/summary.ts';
import { checkArms } from './checkArms.ts';
import { checkKeys } from './checkKeys.ts';
import { changedInput, hasPresentInputs, inputSums, type InputSums } from './memberInputs.ts';
import { byHand, checkMembers, filesChanged, type OpenStudy } from './openStudy.ts';
import { settingsDigest } from './settingsDigest.ts';

/** A member's run, to its end or until it has spent its part. */
export interface MemberRun {
  member: Member;
  start: Launch['start'];
  part: Budget | null;
  /** It has a folder. */
  onRun: (id: string) => void;
}

export interface RunStudy {
  study: OpenStudy;
  store: RunStore;
  /** The folder of built files. */
  dist: URL;
  /** Where spans of its runs go; nowhere when absent. */
  traces?: TracesTarget | null;
  clock: Clock;
  /** Waits of runs and of their endpoints in this process; the machine's when absent. */
  time?: Time;
  log: Log;
  keys: Keys;
  /** So many runs at once. */
  parallel: number;
  /** Runs pause at once; the study is carried on by calling again. */
  signal: AbortSignal;
  /** Executes a member's run; this process where absent. */
  execute?: (run: MemberRun) => Promise<Landing>;
  /** Others work in this process, too (the extension host). */
  sharedProcess?: boolean;
  onBegan?: (member: Member, run: string) => void;
  onFinished?(member: Member, run: string, summary: MemberSummary, done: number): void;
  onFailed?(member: Member, error: Error): void;
  /** Its server is away, its disk full, or another process writes it: it is tried again. Only of runs in this process. */
  onWaiting?(member: Member, waiting: Waiting): void;
  onDropped?(arms: readonly { arm: string; why: string }[]): void;
}

export interface StudyLanding {
  state: 'finished' | 'paused' | 'failed';
  /** Members that did not get to their end, and why. */
  failures: { member: string; error: Error }[];
}

/** A user paused or stopped it during its study. */
class PausedMember extends Error {
  override readonly name = 'PausedMember';
  readonly reason = 'paused';

  constructor(run: string) {
    super(l10n.t('The run {0} was paused or stopped before its end. Run the study again: it resumes the run.', run));
  }
}

/** @throws InputError, KeyError before anything is touched; RunError `in-use` where another process is at it */
export async function runStudy(options: RunStudy): Promise<StudyLanding> {
  const { study, store, clock, log } = options;
  const { folder, kept } = study;
  await checkMembers(study, store);
  await checkArms(study, options.dist, log);
  // A queue looks for the key of each run, and lets those with a key go first.
  if (options.execute === undefined) await checkKeys(study, options.dist, options.keys);
  await folder.make();
  const lease = await Lease.take(join(folder.dir, 'lease'), { clock, log, files: nodeFiles });
  try {
    await folder.keepPlan(kept);
    return await new Execution(options, await unclaimedRuns(options)).toTheEnd();
  } finally {
    await folder.close();
    await lease.release();
  }
}

/**
 * Runs of a member's name, experiment and files that the folder does not know: a process that was killed between making
 * the run and writing it down leaves one, and so does another study of the same arm.
 */
async function unclaimedRuns({ study, store, dist }: RunStudy): Promise<Map<string, string>> {
  const { folder, plan, kept } = study;
  const missing = new Set(plan.members.flatMap(({ name }) => (folder.members.has(name) ? [] : [name])));
  const found = new Map<string, string>();
  if (missing.size === 0) return found;
  for (const { id, experiment: name } of await store.list()) {
    if (!missing.has(name) || found.has(name)) continue;
    const reader = await store.openReader(id);
    const { experiment, parent, imported } = reader.manifest;
    await reader.close();
    if (parent !== null || imported !== null || settingsDigest(experiment) !== kept.members[name]) continue;
    if (await hasPresentInputs(reader.dir, experiment, dirname(study.base), dist)) found.set(name, id);
  }
  return found;
}

class Execution {
  readonly #options: RunStudy;
  readonly #unclaimed: ReadonlyMap<string, string>;
  readonly #failures: StudyLanding['failures'] = [];
  /** Of members that were made. */
  readonly #inputs: InputSums[];

  constructor(options: RunStudy, unclaimed: ReadonlyMap<string, string>) {
    this.#options = options;
    this.#unclaimed = unclaimed;
    this.#inputs = [...options.study.folder.members.values()].flatMap(({ inputs }) =>
      inputs === null ? [] : [inputs],
    );
  }

  async toTheEnd(): Promise<StudyLanding> {
    const { study, signal } = this.#options;
    switch (study.study.stop?.rule) {
      case 'halving':
        await this.#halving(study.study.stop.rounds, study.study.stop.keep);
        break;
      case 'sequential':
        await this.#sequential();
        break;
      case undefined:
        await this.#all(study.plan.members, null);
    }
    if (signal.aborted) return { state: 'paused', failures: this.#failures };
    return { state: this.#failures.length > 0 ? 'failed' : 'finished', failures: this.#failures };
  }

  get #stopped(): boolean {
    return this.#options.signal.aborted || this.#failures.length > 0;
  }

  /** Members of the arms that racing left in. */
  #alive(): Member[] {
    const { plan, folder } = this.#options.study;
    return plan.members.filter(({ arm }) => !folder.dropped.has(arm));
  }

  async #halving(rounds: number, keep: number): Promise<void> {
    const { study } = this.#options;
    const { folder, plan } = study;
    for (let round = folder.decided + 1; round < rounds; round++) {
      await this.#all(this.#alive(), { round, amount: (plan.budget.amount * round) / rounds });
      if (this.#stopped) return;
      const arms = halve(study.study, plan, folder.dropped, keep, round, rounds, (name) => {
        const known = folder.members.get(name);
        return known?.rested.get(round) ?? known?.finished?.summary ?? null;
      });
      await folder.append({ v: 1, type: 'dropped', after: round, arms });
      if (arms.length > 0) this.#options.onDropped?.(arms);
    }
    await this.#all(this.#alive(), null);
  }

  async #sequential(): Promise<void> {
    const { study } = this.#options;
    const { folder, plan } = study;
    for (const [i, seed] of study.study.seeds.entries()) {
      await this.#all(
        this.#alive().filter((member) => member.seed === seed),
        null,
      );
      if (this.#stopped) return;
      if (i + 1 <= folder.decided) continue;
      const arms = sequentialDecisions(study.study, plan, folder.dropped, i + 1, (name) => {
        return folder.members.get(name)?.finished?.summary ?? null;
      });
      await folder.append({ v: 1, type: 'dropped', after: i + 1, arms });
      if (arms.length > 0) this.#options.onDropped?.(arms);
    }
  }

  /** To the end, or until they have spent their part of the budget. */
  async #all(members: readonly Member[], rung: { round: number; amount: number } | null): Promise<void> {
    const next = members.values();
    const work = async (): Promise<void> => {
      for (const member of next) {
        if (this.#options.signal.aborted) return;
        try {
          await this.#one(member, rung);
        } catch (thrown) {
          const error = thrown instanceof Error ? thrown : new Error(String(thrown));
          this.#failures.push({ member: member.name, error });
          this.#options.onFailed?.(member, error);
        }
      }
    };
    await Promise.all(Array.from({ length: this.#options.parallel }, work));
  }

  async #one(member: Member, rung: { round: number; amount: number } | null): Promise<void> {
    const { study, store } = this.#options;
    const { folder, plan } = study;
    let known = folder.members.get(member.name);
    if (known !== undefined && !(await isThere(runPaths(join(store.root, known.run)).manifest))) {
      // A finished one whose folder was removed still counts; another is run again.
      if (known.finished !== null) return;
      known = undefined;
    }
    if (rung !== null && known?.rested.has(rung.round) === true) return;
    if (known?.finished != null) {
      // It was finished before there was racing: it is ranked by its part, as the others are.
      if (rung !== null) await this.#rest(member, known.run, rung);
      return;
    }
    let run = known?.run ?? this.#unclaimed.get(member.name) ?? null;
    if (known === undefined && run !== null) await folder.append({ v: 1, type: 'began', member: member.name, run });
    const before = run === null ? null : await this.#read(run, member);
    const enough = (fold: SummaryFold): boolean => rung !== null && fold.spent(plan.budget.kind) >= rung.amount;
    if (before === null || (before.summary.ending === '' && !enough(before))) {
      const part = rung === null ? null : { kind: plan.budget.kind, amount: rung.amount };
      run = await this.#launch(member, run, before ?? new SummaryFold(), part);
    }
    if (run === null) return;
    const fold = await this.#read(run, member);
    const { summary } = fold;
    if (summary.ending !== '') {
      const { size } = await stat(runPaths(join(store.root, run)).journal);
      await folder.append({ v: 1, type: 'finished', member: member.name, run, journal: size, summary });
      const done = plan.members.filter(({ name }) => folder.members.get(name)?.finished != null).length;
      this.#options.onFinished?.(member, run, summary, done);
    } else if (rung !== null && enough(fold)) {
      await this.#rest(member, run, rung);
    } else throw new PausedMember(run);
  }

  /** As it stood after the epoch in which it had spent its part. */
  async #rest(member: Member, run: string, { round, amount }: { round: number; amount: number }): Promise<void> {
    const { folder, plan } = this.#options.study;
    const { summary } = await this.#read(run, member, { kind: plan.budget.kind, amount });
    await folder.append({ v: 1, type: 'rested', member: member.name, run, round, summary });
  }

  /**
   * @param part read no further than it
   * @throws InputError where a person changed the run's settings or tasks
   */
  async #read(run: string, { name }: Member, part: Budget | null = null): Promise<SummaryFold> {
    const { journal } = runPaths(join(this.#options.store.root, run));
    const fold = new SummaryFold();
    for await (const { event } of readJournal(journal)) {
      fold.add(event);
      if (part !== null && event.type === 'epoch.finished' && fold.spent(part.kind) >= part.amount) break;
    }
    if (fold.edited !== null) {
      throw new InputError([
        byHand(journal, name, l10n.t('{0} stands in its journal', fold.edited.type), fold.edited.seq + 1),
      ]);
    }
    return fold;
  }

  /** The run's id. It has ended, or has spent enough. @throws why it paused by itself or failed */
  async #launch(member: Member, run: string | null, fold: SummaryFold, part: Budget | null): Promise<string | null> {
    const { study, signal, onBegan, execute = (asked) => this.#here(asked, fold) } = this.#options;
    let noted: Promise<void> = Promise.resolve();
    let inputs: InputSums | undefined;
    const landing = await execute({
      ...{ member, part },
      start:
        run === null
          ? {
              ...{ experiment: member.experiment, directory: dirname(study.base), file: study.base },
              study: { name: study.study.name, arm: member.arm, seed: member.seed },
              onInputs: async (dir) => {
                inputs = await this.#checked(dir, member);
              },
            }
          : { resume: run },
      onRun: (id) => {
        onBegan?.(member, id);
        if (run !== null) return;
        noted = study.folder.append({ v: 1, type: 'began', member: member.name, run: id, ...defined({ inputs }) });
        // It is awaited when the run has ended: a failure before must not end the process.
        noted.catch(() => {});
      },
    });
    await noted;
    if (landing.error !== undefined) throw landing.error;
    if (signal.aborted && landing.state !== 'finished') return null;
    return landing.id;
  }

  /** @throws InputError where another member was made from other files */
  async #checked(dir: string, { name, experiment }: Member): Promise<InputSums> {
    const inputs = await inputSums(dir, experiment);
    const field = changedInput(this.#inputs, inputs);
    if (field !== null) throw new InputError([filesChanged(this.#options.study, field, name)]);
    this.#inputs.push(inputs);
    return inputs;
  }

  #here({ member, start, part, onRun }: MemberRun, fold: SummaryFold): Promise<Landing> {
    const { store, dist, clock, time, log, keys, signal, sharedProcess = false, traces = null } = this.#options;
    const boundary = new AbortController();
    return patientLaunch(
      {
        ...{ store, start, dist, clock, log, keys, signal, sharedProcess, traces, onRun, boundary: boundary.signal },
        ...defined({ time }),
        onEvent: (event) => {
          fold.add(event);
          if (event.type === 'epoch.finished' && part !== null && fold.spent(part.kind) >= part.amount) {
            boundary.abort(new EndAsked('paused', l10n.t('The study’s round is over.')));
          }
        },
      },
      (waiting) => this.#options.onWaiting?.(member, waiting),
    );
  }
}
