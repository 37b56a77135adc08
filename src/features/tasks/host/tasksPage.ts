/** One page of the task editor: asks and edits of a person, answered from the document. */
import * as vscode from 'vscode';
import { bitOf } from '../../health/contract.ts';
import type { NowTask } from '../node/editedTasks.ts';
import { ShownRows } from '../node/shownRows.ts';
import { withValues } from '../node/taskValues.ts';
import type { Channel } from '../../../shared/rpc/channel.ts';
import { defined } from '../../../shared/defined.ts';
import { tasksEvents, tasksRequests, type TaskField, type TaskRemark } from '../contract.ts';
import { openAsText } from '../../../host/files/openAs.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import type { RunsTree } from '../../../host/trees/target.ts';
import { mountPage } from '../../../host/webviews/page.ts';
import { bulkEdit, matchingOf } from './bulkEdit.ts';
import { readField } from './fieldTexts.ts';
import type { HealthFlag } from '../../health/contract.ts';
import { conflictsOf } from './conflictTexts.ts';
import type { OpenedTasks } from './openTasks.ts';
import { detailOf } from './taskDetail.ts';
import { TaskReattempts, type ReattemptNeeds } from './taskReattempts.ts';
import { RowFlags } from './rowFlags.ts';
import { rowOf } from './taskRow.ts';
import type { TasksDocument, TasksNews } from './tasksDocument.ts';
import { messageOf } from '../../../shared/messageOf.ts';

export interface TasksPageNeeds extends ReattemptNeeds {
  extensionUri: vscode.Uri;
  failures: Failures;
  tree: RunsTree;
}

/** Flags are computed for so many rows at a time. */
const flagged = 16;

export class TasksPage implements vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  readonly #document: TasksDocument;
  readonly #needs: TasksPageNeeds;
  readonly #channel: Channel;
  readonly #reattempts: TaskReattempts;
  readonly #subscriptions: { dispose(): unknown }[];
  /** Cancels the work for the previous query. */
  #asking = new AbortController();
  #shown: ShownRows<OpenedTasks>;
  readonly #flags = new RowFlags();
  #unflagged: number[] = [];
  #flagging = false;
  #isOpen = false;
  /** The page shows some. */
  #hasConflicts = false;
  #wanted: string | null = null;
  #closed = false;

  constructor(document: TasksDocument, panel: vscode.WebviewPanel, needs: TasksPageNeeds) {
    this.panel = panel;
    this.#document = document;
    this.#needs = needs;
    this.#shown = new ShownRows(document.opened);
    this.#reattempts = new TaskReattempts(needs);
    this.#channel = mountPage(panel.webview, {
      extensionUri: needs.extensionUri,
      name: 'tasks',
      title: vscode.l10n.t('Tasks of {0}', document.opened.about().name),
      log: needs.log,
      onOpen: () => this.#opened(),
    });
    this.#answer();
    this.#subscriptions = [
      document.onDidChange((news) => this.#tell(news)),
      document.onDidMerge(({ changes, conflicts, equal, lost }) => {
        const gone = conflicts.filter(({ row }) => row === null).length;
        this.#channel.emit(tasksEvents.merged, { kept: changes.length + gone, equal, lost });
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#opened()),
      panel.onDidChangeViewState(() => {
        if (!panel.visible) this.#isOpen = false;
      }),
      this.#reattempts,
      new vscode.Disposable(() => this.#channel.dispose()),
    ];
  }

  /** Selects a task once the page is there. */
  select(id: string): void {
    if (this.#isOpen) this.#channel.emit(tasksEvents.select, { id });
    else this.#wanted = id;
  }

  /** A save waits for decisions: shows them. */
  decideFirst(): void {
    this.panel.reveal();
    this.#channel.emit(tasksEvents.decideFirst, null);
  }

  dispose(): void {
    this.#closed = true;
    this.#asking.abort(new Error('closed'));
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #opened(): void {
    this.#isOpen = true;
    this.#channel.emit(tasksEvents.opened, this.#document.opened.about());
    this.#tellConflicts();
    this.#learnDamage();
    if (this.#wanted !== null) this.#channel.emit(tasksEvents.select, { id: this.#wanted });
    this.#wanted = null;
  }

  #tell(news: TasksNews): void {
    this.#flags.forget(news);
    const { tasks, opened } = this.#document;
    const details = this.#shown.namesIn(news);
    const before = this.#shown.opened;
    // Read again, the tasks stand in other rows.
    if (before !== opened) this.#shown = new ShownRows(opened, this.#shown);
    this.#tellConflicts();
    // An edit's effect on the filter and the order shows at once; a file that was read again is filtered as before.
    const { signal } = this.#asking;
    const again = before === opened ? tasks.view.again(signal) : tasks.show(before.tasks.view.query, signal, () => {});
    again.then(
      () => this.#changed(details, opened.about().tasks),
      (error: unknown) => this.#fail(error),
    );
  }

  #tellConflicts(): void {
    if (this.#document.conflicts.length > 0 || this.#hasConflicts)
      this.#channel.emit(tasksEvents.conflicts, conflictsOf(this.#document));
    this.#hasConflicts = this.#document.conflicts.length > 0;
  }

  #changed(details: readonly string[], tasks: number): void {
    if (this.#closed) return;
    const matching = this.#document.tasks.view.matching.length;
    const { damaged } = this.#document.opened.about();
    this.#channel.emit(tasksEvents.changed, { tasks, damaged, matching, details: [...details] });
  }

  /** A damaged line further down is reported before the user scrolls to it. */
  #learnDamage(): void {
    const { tasks, opened } = this.#document;
    tasks.source.learn('standing', new AbortController().signal).then(
      () => {
        if (opened === this.#document.opened && opened.about().damaged > 0) this.#changed([], opened.about().tasks);
      },
      (error: unknown) => this.#fail(error),
    );
  }

  #fail(error: unknown): void {
    if (this.#closed || this.#asking.signal.aborted) return;
    const message = messageOf(error);
    const remedy = error instanceof Error && 'remedy' in error ? String(error.remedy) : '';
    this.#needs.log.error(error instanceof Error ? error : message);
    this.#channel.emit(tasksEvents.failed, { message, remedy });
  }

  #answer(): void {
    const channel = this.#channel;
    const document = this.#document;
    channel.handle(tasksRequests.query, async (query) => {
      this.#asking.abort(new Error('another query'));
      const asking = new AbortController();
      this.#asking = asking;
      const { view } = document.tasks;
      const { table } = document.tasks.source;
      const progress = (done: number, total: number): void => {
        if (!asking.signal.aborted) channel.emit(tasksEvents.filtering, { done, total });
      };
      table.onProgress = ({ done, total }) => progress(done, total);
      const problem = await document.tasks.show(query, asking.signal, progress);
      return { matching: view.matching.length, problem };
    });
    channel.handle(tasksRequests.rows, ({ from, to }) =>
      this.#settled(async (shown) => {
        const { tasks } = shown.opened;
        const rows = await tasks.shown(from, to);
        this.#flagSoon(rows.map(({ row }) => row));
        return rows.map((now) => ({ ...rowOf(tasks, now), id: shown.name(now) }));
      }),
    );
    channel.handle(tasksRequests.find, ({ id }, signal) =>
      this.#settled(async (shown) => {
        const row = await shown.find(id, signal);
        return row === null ? null : shown.opened.tasks.view.placeOf(row);
      }),
    );
    channel.handle(tasksRequests.detail, ({ id }) =>
      this.#settled(async (shown) => {
        const { moment } = this.#flags;
        return (await shown.find(id)) === null ? null : this.#detail(shown, await shown.task(id), moment);
      }),
    );
    channel.handle(tasksRequests.check, ({ id, field, text }) =>
      this.#settled(async (shown) => this.#check(await shown.sound(id), field, text)),
    );
    channel.handle(tasksRequests.edit, ({ id, field, text }) => this.#edit(id, field, text));
    channel.handle(tasksRequests.bulk, async ({ ids, what }) => {
      if (document.opened.run !== null && what.action !== 'duplicate' && what.action !== 'toSeeds') requireTrust();
      const rows = async (): Promise<ArrayLike<number>> =>
        Array.isArray(ids) ? this.#shown.rows(ids) : matchingOf(document.tasks.view, ids);
      return { tasks: await bulkEdit(document, { size: Array.isArray(ids) ? ids.length : ids.count, rows }, what) };
    });
    channel.handle(tasksRequests.decide, async ({ key, field, choice }) => {
      const label =
        choice === 'mine' ? vscode.l10n.t('Keep My Version') : vscode.l10n.t('Take the Version on the Disk');
      await document.decide(key, field, choice, label);
      return null;
    });
    channel.handle(tasksRequests.reattempt, async ({ id, attempts }) => {
      const [opened, now] = await this.#settled(async (shown) => [shown.opened, await shown.sound(id)] as const);
      requireTrust();
      const told = this.#reattempts.run(opened, { now, key: id }, attempts, (one) => {
        if (!this.#closed) channel.emit(tasksEvents.reattempt, { ...one, task: id });
      });
      void this.#needs.failures.guard(vscode.l10n.t('The task was not attempted'), () => told);
      return null;
    });
    channel.handle(tasksRequests.stopReattempt, ({ id }) => {
      this.#reattempts.stop(id);
      return null;
    });
    channel.handle(tasksRequests.open, async ({ task, trace, epoch }) => {
      const run = document.opened.run?.followed.dir;
      if (run === undefined) {
        if (task !== undefined) this.select(task);
      } else if (trace !== undefined) await vscode.commands.executeCommand('genenv.openTrace', { run, trace });
      else if (task !== undefined) {
        await vscode.commands.executeCommand('genenv.openTask', {
          run,
          task,
          ...defined({ epoch }),
        });
      } else if (epoch !== undefined) await this.#needs.tree.reveal({ run, epoch });
      return null;
    });
    channel.handle(tasksRequests.openAsText, async ({ id }) => {
      const damage = await this.#settled(async (shown) => shown.opened.damageOf(await shown.row(id)));
      const at = damage === null ? null : new vscode.Position(damage.line - 1, 0);
      await openAsText(document.uri, at, this.panel.viewColumn);
      return null;
    });
    channel.handle(tasksRequests.copy, async ({ ids, as }) => {
      const all = await this.#settled(async (shown) => shown.opened.tasks.at(await shown.rows(ids)));
      const tasks = all.filter(({ damaged }) => damaged === null);
      if (tasks.length === 0)
        throw new Error(vscode.l10n.t('A damaged line is not a task: open the file as text to copy it.'));
      const { copiedTasks } = await import('./copiedTasks.ts');
      await vscode.env.clipboard.writeText(copiedTasks(tasks, as));
      return null;
    });
  }

  /** An answer from the file as it is now: worked out again where the file was read again meanwhile. */
  async #settled<T>(work: (shown: ShownRows<OpenedTasks>) => Promise<T>): Promise<T> {
    for (;;) {
      const shown = this.#shown;
      try {
        const done = await work(shown);
        if (shown === this.#shown) return done;
      } catch (error) {
        if (shown === this.#shown) throw error;
      }
    }
  }

  async #detail(shown: ShownRows<OpenedTasks>, now: NowTask, moment: number) {
    const { opened } = shown;
    const id = shown.name(now);
    if (now.damaged !== null) {
      const damaged = await detailOf(opened, now, { remarks: [], flags: [] });
      return { ...damaged, row: { ...damaged.row, id } };
    }
    const remarks = [...(await opened.lineRemarks(now.row)), ...(await this.#remarks(now, now.task))];
    const flags = this.#flags.get(now.row) ?? (await this.#flagsOf(now, moment));
    const detail = await detailOf(opened, now, { remarks, flags });
    return { ...detail, row: { ...detail.row, id } };
  }

  async #remarks({ row }: NowTask, task: NowTask['task']): Promise<TaskRemark[]> {
    const rules = await this.#document.opened.rules();
    if (!rules.knowsDoubles) {
      // The first check of a large source does not wait for them: the page requests the detail again later.
      const learning = rules
        .learnDoubles()
        .then(() => this.#changed(this.#shown.namesIn(null), this.#document.opened.about().tasks));
      learning.catch((error: unknown) => this.#fail(error));
    }
    return rules.remarks(row, task);
  }

  async #check(now: NowTask, field: TaskField, text: string): Promise<TaskRemark[]> {
    const read = readField(field, text);
    return 'remarks' in read ? read.remarks : this.#remarks(now, withValues(now.task, read.part));
  }

  async #edit(id: string, field: TaskField, text: string): Promise<TaskRemark[]> {
    const { task } = await this.#settled((shown) => shown.sound(id));
    if (this.#document.opened.run !== null) requireTrust();
    const read = readField(field, text);
    if ('remarks' in read) return read.remarks;
    await this.#document.make(vscode.l10n.t('Edit {0} of {1}', field, task.id), async () => {
      // The file may have been read again meanwhile: the task is found once more.
      const { row } = await this.#shown.sound(id);
      const change = await this.#document.tasks.change(row, read.part);
      return change === null ? [] : [change];
    });
    // The value is accepted: its faults are reported with the task.
    return [];
  }

  #flagSoon(rows: readonly number[]): void {
    this.#unflagged = rows.filter((row) => !this.#flags.has(row));
    if (this.#flagging || this.#unflagged.length === 0) return;
    this.#flagging = true;
    void this.#flagAll()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => (this.#flagging = false));
  }

  /** Visible rows first: earlier requests are dropped. */
  async #flagAll(): Promise<void> {
    while (this.#unflagged.length > 0 && !this.#closed) {
      const shown = this.#shown;
      const { tasks } = shown.opened;
      const rows = this.#unflagged.splice(0, flagged);
      const details: string[] = [];
      const { moment } = this.#flags;
      for (const now of await tasks.at(rows)) {
        const before = tasks.columns.flags[now.row];
        await this.#flagsOf(now, moment);
        if (before !== tasks.columns.flags[now.row]) details.push(shown.name(now));
      }
      if (details.length > 0) this.#changed(details, shown.opened.about().tasks);
    }
  }

  async #flagsOf(now: NowTask, moment: number): Promise<readonly HealthFlag[]> {
    const { tasks, opened } = this.#document;
    const flags = now.task.status === 'rejected' || now.damaged !== null ? [] : await opened.flagsOf(now.row, now.task);
    if (this.#flags.keep(now.row, flags, moment))
      tasks.columns.flags[now.row] = flags.reduce((bits, { flag }) => bits | bitOf(flag), 0);
    return flags;
  }
}
