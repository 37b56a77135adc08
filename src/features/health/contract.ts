/** The health of tasks: flags, each with its reason. */
import type { LocalDomain, Scorer, TestSetTask } from '../../engine/ports.ts';
import type { Task } from '../../shared/records/task.ts';
import type { TaskOverlay } from '../../shared/records/taskEdit.ts';
import { flagNames, type FlagName } from '../tasks/contract.ts';

/** One flag of a task. */
export interface HealthFlag {
  flag: FlagName;
  /** A sentence with the numbers that it rests on. */
  why: string;
}

/** The criteria of flags. */
export interface HealthRules {
  domain: Pick<LocalDomain, 'verify' | 'fingerprint' | 'seeds' | 'wording' | 'goldFollows'>;
  scorer: Scorer;
  /** Base, validation and offline tasks of the run. */
  given: readonly Task[];
  /**
   * Texts that no written task may repeat, besides the domain's held-out tasks, and the number of consecutive words;
   * null: not compared.
   */
  measured?: { testSets: readonly TestSetTask[]; run: number | null };
  /** The first epoch whose attempts count: a branch's earlier ones had another judge; absent: all. */
  since?: number;
  /** Current edits of its tasks, by id. @throws RunError */
  overlays?: () => Promise<ReadonlyMap<string, TaskOverlay>>;
}

/** Flags of all tasks of a run: bit i of a mask is `flagNames[i]`. Rejected texts have none. */
export interface RunFlags {
  /** By row of `tasks.jsonl`, from 0. */
  recorded: Uint8Array;
  /** Given tasks that have some, by id. */
  given: ReadonlyMap<string, number>;
  /** Given tasks that were looked at: all but held-out ones. */
  givenTasks: number;
}

export interface ScanOptions {
  signal: AbortSignal;
  /** Called now and then, in bytes of records. */
  onProgress?: (progress: { done: number; total: number }) => void;
}

/** Health of the tasks of one run: `openHealth` of `launch` opens it. */
export interface TaskHealth {
  /**
   * Flags of a task as passed: recorded, or edited. Duplicates are included after a scan, and at once in small runs.
   * @throws RunError
   */
  of(task: Task): Promise<readonly HealthFlag[]>;
  /**
   * Flags of every task as people left it: linear in the run's records, a few milliseconds at a time.
   * @throws RunError; the signal's reason when it aborts
   */
  scan(options: ScanOptions): Promise<RunFlags>;
}

/** The bit of a flag in a mask. */
export const bitOf = (flag: FlagName): number => 1 << flagNames.indexOf(flag);

/** The flags of a mask. */
export const flagsIn = (mask: number): FlagName[] => flagNames.filter((_, i) => (mask & (1 << i)) !== 0);
