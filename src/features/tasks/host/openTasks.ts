/** The content of a task document: the tasks, how they are saved, and their facts. */
import type { AddedTask } from '../node/unsaved/conflicts.ts';
import type { EditedTasks } from '../node/editedTasks.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { HealthFlag } from '../../health/contract.ts';
import type { TaskDamage, TaskRemark, TasksReattempt, TasksSource } from '../contract.ts';
import type { OpenRun } from '../../../host/trees/openRun.ts';
import type { TaskRules } from './taskRules.ts';

/** p̂ of a task before and after an edit, as it was tried. */
export type Measured = Pick<TasksReattempt, 'version' | 'before' | 'after'>;

export interface OpenedTasks {
  readonly tasks: EditedTasks;
  /** Null for a file. */
  readonly run: OpenRun | null;
  /** The description for the page. */
  about(): TasksSource;
  /** The rules for checking tasks, opened with the first check. @throws InputError */
  rules(): Promise<TaskRules>;
  /** Faults in a row's text; none in a run's records. @throws RunError */
  lineRemarks(row: number): Promise<TaskRemark[]>;
  /** The fault of a line that is no task; null for a task. @throws RunError */
  damageOf(row: number): Promise<TaskDamage | null>;
  /** @throws RunError, InputError */
  flagsOf(row: number, task: Task): Promise<readonly HealthFlag[]>;
  /** Keeps the measured effect of an edit on p̂ until it is saved. */
  measured(row: number, measured: Measured): void;
  /** Whether another program changed the source, so that it must be read again. @throws RunError */
  isStale(): Promise<boolean>;
  /** Reads new records, edits and scores, and fires `onDidGrow`. @throws RunError */
  grow(): Promise<void>;
  /** Rows with new attempts, or whose saved edits may differ. */
  onDidGrow: (rows: ReadonlySet<number>) => void;
  /** @param added lines to put behind those of a file, which must be read again then @throws TaskFileError, RunError, SteerError */
  save(rows: readonly number[], added: readonly AddedTask[]): Promise<void>;
  /** All tasks as they are now, as a task file. @param added as of `save` @throws TaskFileError, RunError */
  saveTo(path: string, added: readonly AddedTask[]): Promise<void>;
  close(): Promise<void>;
}
