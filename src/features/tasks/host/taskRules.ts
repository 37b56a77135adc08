/** Faults of a task during editing: by its domain, and among the others of its source. */
import * as vscode from 'vscode';
import type { LocalDomain } from '../../../engine/ports.ts';
import type { EditedTasks, NowTask } from '../node/editedTasks.ts';
import { Fingerprints } from '../node/fingerprints.ts';
import type { Rejection, Task } from '../../../shared/records/task.ts';
import type { TaskRemark } from '../contract.ts';

type Judge = Pick<LocalDomain, 'verify' | 'fingerprint' | 'seeds'>;

export class TaskRules {
  readonly #domain: Judge;
  readonly #fingerprints: Fingerprints;
  readonly #heldOut: ReadonlyMap<string, string>;

  constructor(domain: Judge, tasks: EditedTasks) {
    this.#domain = domain;
    this.#fingerprints = new Fingerprints(tasks, (task) => domain.fingerprint(task));
    this.#heldOut = new Map(domain.seeds('validation').map((task) => [domain.fingerprint(task), task.id]));
  }

  /** Whether doubles are looked for among all rows. */
  get knowsDoubles(): boolean {
    return this.#fingerprints.isWhole;
  }

  /** Reads all rows for doubles. @throws RunError */
  learnDoubles(): Promise<void> {
    return this.#fingerprints.read();
  }

  /** The faults of a proposed task, worst first. @throws RunError */
  async remarks(row: number, task: Task): Promise<TaskRemark[]> {
    // A rejected text is no task; it needs no further checks.
    if (task.status === 'rejected') return [];
    return [
      ...this.verified(task),
      ...(await this.#double(row, task)),
      ...(task.origin === 'validation' ? [] : this.#overlap(task)),
    ];
  }

  /** The findings of the domain alone. */
  verified(task: Task): TaskRemark[] {
    const verified = this.#domain.verify(task);
    if (verified.ok) return [];
    const field = fieldOf[verified.cause] ?? 'prompt';
    const message = vscode.l10n.t('It does not verify: {0}.', verified.note);
    const remedy =
      field === 'gold'
        ? vscode.l10n.t('Correct the gold or the prompt: the gold is executed to check it.')
        : vscode.l10n.t('Correct the text, or exclude the task.');
    return [{ field, severity: 'error', message, remedy }];
  }

  /** Whether it is one of the held-out tasks. */
  isHeldOut(task: Task): boolean {
    return task.origin !== 'validation' && this.#heldOut.has(this.#domain.fingerprint(task));
  }

  /** Whether another row says the same. @throws RunError */
  async isDouble({ row, task }: NowTask): Promise<boolean> {
    return (await this.#fingerprints.twinOf(row, task)) !== null;
  }

  close(): void {
    this.#fingerprints.close();
  }

  async #double(row: number, task: Task): Promise<TaskRemark[]> {
    const twin = await this.#fingerprints.twinOf(row, task);
    if (twin === null) return [];
    const message = vscode.l10n.t('Task {0} asks the same question.', twin.id);
    const remedy = vscode.l10n.t('Change what it asks, or exclude one of the two.');
    return [{ field: 'prompt', severity: 'warning', message, remedy }];
  }

  #overlap(task: Task): TaskRemark[] {
    const held = this.#heldOut.get(this.#domain.fingerprint(task));
    if (held === undefined) return [];
    const message = vscode.l10n.t('It is the held-out task {0}: training on it would spoil the measurement.', held);
    const remedy = vscode.l10n.t('Exclude it, or change what it asks.');
    return [{ field: 'prompt', severity: 'error', message, remedy }];
  }
}

const fieldOf: Partial<Record<Rejection, string>> = { gold: 'gold', plan: 'plan', schema: 'prompt' };
