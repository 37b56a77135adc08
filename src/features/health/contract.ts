/** What is told of the health of tasks: flags, each with why. */
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

/** What flags are judged by. */
export interface HealthRules {
  domain: Pick<LocalDomain, 'verify' | 'fingerprint' | 'seeds' | 'wording' | 'goldFollows'>;
  scorer: Scorer;
  /** Base, validation and offline tasks of the run. */
  given: readonly Task[];
  /** What no written task may repeat, beside the domain's held-out tasks, and how many words in a row; null: not compared. */
  measured?: { testSets: readonly TestSetTask[]; run: number | null };
  /** What people did to its tasks by now, by id. @throws RunError */
  overlays?: () => Promise<ReadonlyMap<string, TaskOverlay>>;
}

/** Flags of all tasks of a run: bit i of a mask is `flagNames[i]`. Rejected texts have none. */
export interface RunFlags {
  /** By row of `tasks.jsonl`, from 0. */
  recorded: Uint8Array;
  /** Given tasks that have some, by id. */
  given: ReadonlyMap<string, number>;
}

export interface ScanOptions {
  signal: AbortSignal;
  /** Told now and then, in bytes of records. */
  onProgress?: (progress: { done: number; total: number }) => void;
}

/** Health of the tasks of one run: `openHealth` of `launch` opens it. */
export interface TaskHealth {
  /**
   * Flags of a task as it is given: recorded, or as people left it. Duplicates are told once a scan has found them, and
   * in runs small enough to look for them at once. @throws RunError
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
