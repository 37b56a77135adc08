/** What a task document is open on: the tasks, how they are saved, and what is told of them. */
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
  /** What the page is told. */
  about(): TasksSource;
  /** What tasks are checked by, opened with the first that is. @throws InputError */
  rules(): Promise<TaskRules>;
  /** What is wrong with how a row is written; nothing in a run's records. @throws RunError */
  lineRemarks(row: number): Promise<TaskRemark[]>;
  /** What is wrong with a line that is no task; null of a row that is one. @throws RunError */
  damageOf(row: number): Promise<TaskDamage | null>;
  /** @throws RunError, InputError */
  flagsOf(row: number, task: Task): Promise<readonly HealthFlag[]>;
  /** Keeps what an edit did to p̂ for when it is saved. */
  measured(row: number, measured: Measured): void;
  /** Whether something else wrote what is open, so that it is to be read anew. @throws RunError */
  isStale(): Promise<boolean>;
  /** Takes in what was recorded, edited or scored since, and tells `onDidGrow`. @throws RunError */
  grow(): Promise<void>;
  /** Rows with new attempts, or whose saved edits may differ. */
  onDidGrow: (rows: ReadonlySet<number>) => void;
  /** @throws TaskFileError, RunError, SteerError */
  save(rows: readonly number[]): Promise<void>;
  /** All tasks as they are now, as a task file. @throws TaskFileError, RunError */
  saveTo(path: string): Promise<void>;
  close(): Promise<void>;
}
