/** The task editor, assembled: requests to the host, and where its answers are shown. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { failureOf, RpcError } from '../../src/shared/rpc/rpcError.ts';
import {
  lineMark,
  type TaskConflicts,
  type tasksEvents,
  type TasksBulk,
  type TasksQuery,
  type TasksReattempt,
  type TasksSource,
} from '../../src/features/tasks/contract.ts';
import { element } from '../lib/element.ts';
import { openMenu } from '../lib/components/menu.ts';
import { Splitter } from '../lib/components/splitter.ts';
import { ActionBar, type Target } from './actionBar.ts';
import { ConflictsView } from './conflictsView.ts';
import { DamagedView } from './detail/damagedView.ts';
import { DetailView } from './detail/detailView.ts';
import { usualShare, type Navigation } from './navigation.ts';
import { Notices } from './notices.ts';
import { PendingTexts } from './pendingTexts.ts';
import { QueryBar } from './queryBar.ts';
import { sourceHead, whyFixed } from './sourceHead.ts';
import { TaskList } from './taskList.ts';
import { taskMenu } from './taskMenu.ts';
import type { TasksHost } from './tasksHost.ts';
import { tasksText } from './words.ts';

/** The host's message after an edit, or with new facts. */
type TasksNews = z.infer<typeof tasksEvents.changed.params>;

const narrow = window.matchMedia('(max-width: 699px)');

export class Page {
  readonly node: HTMLElement;
  readonly notices = new Notices();
  readonly #host: TasksHost;
  readonly #keep: (state: Navigation) => void;
  readonly #head = sourceHead(() => this.#query.add('status:damaged'));
  readonly #query: QueryBar;
  readonly #list: TaskList;
  readonly #bar: ActionBar;
  readonly #detail: DetailView;
  readonly #damaged: DamagedView;
  readonly #conflicts: ConflictsView;
  readonly #empty = element('p', { class: 'empty', role: 'status' }, l10n.t('Loading…'));
  readonly #clear = element('button', { type: 'button', class: 'button', hidden: '' }, l10n.t('Clear the Filter'));
  readonly #nothing = element('p', { class: 'empty quiet', hidden: '' }, l10n.t('Select a task to see it.'));
  readonly #reattempts = new Map<string, TasksReattempt>();
  readonly #pending: PendingTexts;
  readonly #splitter: Splitter;
  #source: TasksSource | null = null;
  #kept: Navigation;
  #id: string | null;
  #asking: AbortController | undefined;
  #loading: AbortController | undefined;
  #loaded: Promise<void> = Promise.resolve();

  constructor(host: TasksHost, kept: Navigation, keep: (state: Navigation) => void) {
    this.#host = host;
    this.#keep = keep;
    this.#kept = kept;
    this.#id = kept.id;
    this.#pending = new PendingTexts(kept.pending);
    this.#query = new QueryBar((query) => void this.#ask(query));
    this.#list = new TaskList({
      rows: host.rows,
      went: ({ id }) => this.#go(id),
      chose: () => this.#showDetail(),
      selected: () => this.#showBar(),
      menu: (target, at, row) => {
        if (row.status === 'damaged' && target.size === 1) this.#damagedMenu(row.id, at);
        else this.#menu(target, at);
      },
      attempted: () => this.#source?.kind === 'run',
      unsaved: (id) => this.#pending.has(id),
      failed: (error) => this.fail(error),
      say: (text) => this.notices.say(text),
    });
    const actions = {
      bulk: (target: Target, what: TasksBulk) => void this.#bulk(target, what),
      copy: (target: Target, as: 'json' | 'markdown') => void this.#copy(target, as),
    };
    this.#bar = new ActionBar({
      ...actions,
      clear: () => {
        this.#list.clear();
        this.#list.focus();
      },
      left: () => this.#list.focus(),
    });
    this.#detail = new DetailView({
      pending: this.#pending,
      check: host.check,
      edit: async (id, field, text) => {
        const remarks = await host.edit(id, field, text);
        if (id === this.#id) await this.#load(id);
        return remarks;
      },
      kept: () => {
        this.#remember();
        this.#list.redraw();
      },
      failed: (error) => this.fail(error),
      filter: (term) => this.#query.add(term),
      menu: (at) => this.#menu({ ids: this.#id === null ? [] : [this.#id], size: 1 }, at),
      open: (what) => this.#try(host.open(what)),
      back: () => this.#showList(),
      reattempt: (id, attempts) => this.#try(host.reattempt(id, attempts)),
      stopReattempt: (id) => this.#try(host.stopReattempt(id)),
    });
    this.#damaged = new DamagedView({
      openAsText: () => {
        if (this.#id !== null) this.#try(host.openAsText(this.#id));
      },
      back: () => this.#showList(),
    });
    this.#conflicts = new ConflictsView({
      decide: (key, field, choice) => this.#try(host.decide(key, field, choice)),
      show: (id) => this.select(id),
    });
    this.#clear.addEventListener('click', () => this.#query.clear());
    const detail = element(
      'section',
      { class: 'detail', 'aria-label': l10n.t('Task') },
      ...[this.#nothing, this.#detail.node, this.#damaged.node],
    );
    this.#detail.node.hidden = true;
    detail.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !event.defaultPrevented) this.#showList();
    });
    const empty = element('div', { class: 'list-empty' }, this.#empty, this.#clear);
    const panes = element('div', { class: 'panes' });
    this.#splitter = new Splitter({
      ...{ name: l10n.t('Width of the list'), panes, share: kept.share, usual: usualShare },
      moved: () => this.#remember(),
    });
    panes.append(element('div', { class: 'list-pane' }, empty, this.#list.node), this.#splitter.node, detail);
    this.node = element(
      'div',
      { class: 'page', 'data-view': 'list' },
      ...[this.#head.node, this.#query.node, this.notices.node, this.#conflicts.node, panes, this.#bar.node],
    );
    this.#list.node.addEventListener('click', ({ ctrlKey, metaKey, shiftKey }) => {
      if (narrow.matches && !ctrlKey && !metaKey && !shiftKey) this.#showDetail();
    });
  }

  open(source: TasksSource): void {
    const first = this.#source === null;
    this.#source = source;
    this.notices.clear();
    this.#reattempts.clear();
    this.#head.show(source);
    this.#query.restore(first ? this.#kept.query : this.#query.query, source);
    this.#showBar();
    void this.#ask(this.#query.query);
    if (this.#id !== null) void this.#load(this.#id);
  }

  changed({ tasks, damaged, matching, details }: TasksNews): void {
    if (this.#source === null) return;
    this.#source = { ...this.#source, tasks, damaged };
    this.#head.show(this.#source);
    this.#query.counted(matching, tasks);
    this.#list.changed(matching);
    this.#showEmpty(matching);
    const id = this.#id;
    if (id === null) return;
    // A live run grows all the time: unchanged details are not requested again.
    if (details.includes(id)) void this.#load(id);
    this.#try(
      this.#host.find(id).then((index) => {
        if (index !== null && id === this.#id) this.#list.follow(index);
      }),
    );
  }

  filtering({ done, total }: { done: number; total: number }): void {
    this.#query.progress(done, total);
  }

  conflicts(state: TaskConflicts): void {
    this.#conflicts.show(state);
  }

  merged({ kept, equal, lost }: z.infer<typeof tasksEvents.merged.params>): void {
    const said = [
      l10n.t('Something else wrote this file: it was read again.'),
      ...(kept === 0 ? [] : [l10n.t('Your edits of {0} stay.', tasksText(kept))]),
      ...(equal === 0 ? [] : [l10n.t('The disk has the same edits of {0}.', tasksText(equal))]),
      ...(lost === 0 ? [] : [l10n.t('Edits of {0} that were removed there are lost.', tasksText(lost))]),
    ];
    this.notices.say(said.join(' '));
  }

  decideFirst(): void {
    this.notices.fail(
      l10n.t('Not saved: some tasks were changed here and on the disk.'),
      l10n.t('Choose a version of each.'),
    );
    this.#conflicts.focus();
  }

  reattempted(state: TasksReattempt): void {
    this.#reattempts.set(state.task, state);
    if (state.task === this.#id) this.#detail.showReattempt(state);
  }

  /** The host wants a task to be seen. */
  select(id: string): void {
    this.#go(id);
    this.#try(
      this.#host.find(id).then((index) => {
        if (index !== null) this.#list.show(index);
      }),
    );
    this.node.dataset['view'] = 'detail';
  }

  find(): void {
    this.#query.focus();
  }

  /** Makes typed text an edit, as before the document is saved. */
  commit(): void {
    void this.#detail.commit();
  }

  /** Undo concerns the text just typed, not yet the document's last edit. */
  get typing(): boolean {
    return this.#detail.fields.some((field) => field.pending && field.node.contains(document.activeElement));
  }

  fail(error: unknown): void {
    if (RpcError.is(error, 'cancelled') || RpcError.is(error, 'closed')) return;
    const { message, remedy } = failureOf(error);
    this.notices.fail(message, remedy);
  }

  async #ask(query: TasksQuery): Promise<void> {
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    this.#remember();
    try {
      const { matching, problem } = await this.#host.query(query, asking.signal);
      this.#query.found(matching, this.#source?.tasks ?? matching, problem);
      if (problem !== null) return;
      this.#list.reset(matching, query.text);
      this.#showEmpty(matching);
      const index = this.#id === null ? null : await this.#host.find(this.#id);
      if (this.#asking === asking) this.#list.show(index ?? 0);
    } catch (error) {
      this.fail(error);
    }
  }

  #go(id: string): void {
    if (id === this.#id) return;
    this.#id = id;
    this.#remember();
    void this.#load(id);
  }

  /** Resolves once the page shows the host's final answer on the task. */
  async #load(id: string): Promise<void> {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#loaded = this.#fetch(id, loading.signal);
    await this.#loaded;
  }

  async #fetch(id: string, signal: AbortSignal): Promise<void> {
    try {
      const detail = await this.#host.detail(id, signal);
      if (this.#source === null || id !== this.#id) return;
      if (detail === null) {
        this.#leave(id);
        return;
      }
      // Asked for by its line, as from the Problems panel: from now on by the id that stays.
      this.#id = detail.row.id;
      this.#nothing.hidden = true;
      this.#detail.node.hidden = detail.damage !== null;
      this.#damaged.node.hidden = detail.damage === null;
      if (detail.damage !== null) {
        // Typed in the task before, which the person just left.
        void this.#detail.commit();
        this.#damaged.show(detail.damage);
        return;
      }
      this.#detail.show(this.#source, detail);
      this.#detail.showReattempt(this.#reattempts.get(id) ?? null);
    } catch (error) {
      // Requested again meanwhile: that answer counts.
      if (RpcError.is(error, 'cancelled')) await this.#loaded;
      else this.fail(error);
    }
  }

  /** The task looked at is gone: the list has the others. */
  #leave(id: string): void {
    this.#id = null;
    this.#remember();
    this.#detail.node.hidden = this.#damaged.node.hidden = true;
    this.#nothing.hidden = false;
    this.#nothing.textContent = id.startsWith(lineMark)
      ? l10n.t('The task is not here any more. Select another one.')
      : l10n.t('There is no task “{0}” here. Select another one.', id);
  }

  async #bulk(target: Target, what: TasksBulk): Promise<void> {
    try {
      await this.#detail.commit();
      const { tasks } = await this.#host.bulk(target.ids, what);
      this.notices.say(doneText(what, tasks));
    } catch (error) {
      this.fail(error);
    }
  }

  async #copy(target: Target, as: 'json' | 'markdown'): Promise<void> {
    const ids = await this.#list.idsOf(target);
    if (ids === null) return;
    try {
      await this.#host.copy(ids, as);
      this.notices.say(l10n.t('{0} copied.', tasksText(ids.length)));
    } catch (error) {
      this.fail(error);
    }
  }

  #menu(target: Target, at: { x: number; y: number }): void {
    if (this.#source === null) return;
    const why = { changes: whyFixed(this.#source), attempts: this.#source.attempts.why };
    const host = {
      bulk: (to: Target, what: TasksBulk) => void this.#bulk(to, what),
      copy: (to: Target, as: 'json' | 'markdown') => void this.#copy(to, as),
      ask: (form: 'exclude' | 'tag', to: Target) => this.#bar.ask(form, to),
      open: (task: string) => this.#try(this.#host.open({ task })),
      reattempt: () => this.#detail.reattempt(),
    };
    taskMenu(target, at, host, why);
  }

  #damagedMenu(id: string, at: { x: number; y: number }): void {
    openMenu(l10n.t('Actions'), at, [
      { text: l10n.t('Open as Text'), act: () => this.#try(this.#host.openAsText(id)) },
    ]);
  }

  #showBar(): void {
    if (this.#source !== null) this.#bar.show(this.#list.target, whyFixed(this.#source));
  }

  #showEmpty(matching: number): void {
    const none = this.#source?.tasks === 0;
    this.#empty.textContent = none ? l10n.t('There are no tasks here yet.') : l10n.t('No task matches the filter.');
    this.#empty.hidden = matching > 0;
    this.#clear.hidden = matching > 0 || none;
    this.#nothing.hidden = this.#id !== null || matching === 0;
  }

  #showDetail(): void {
    this.node.dataset['view'] = 'detail';
    if (this.#damaged.node.hidden) this.#detail.focus();
    else this.#damaged.focus();
  }

  #showList(): void {
    this.node.dataset['view'] = 'list';
    this.#list.focus();
  }

  #remember(): void {
    const { share } = this.#splitter;
    this.#keep({ query: this.#query.query, id: this.#id, pending: this.#pending.kept, share });
  }

  #try(question: Promise<unknown>): void {
    question.catch((error: unknown) => this.fail(error));
  }
}

function doneText({ action }: TasksBulk, tasks: number): string {
  const said = tasksText(tasks);
  switch (action) {
    case 'exclude':
      return l10n.t('{0} excluded. Ctrl+Z undoes it.', said);
    case 'restore':
      return l10n.t('{0} restored. Ctrl+Z undoes it.', said);
    case 'tag':
      return l10n.t('{0} tagged. Ctrl+Z undoes it.', said);
    case 'duplicate':
      return l10n.t('{0} duplicated as a variation.', said);
    case 'toSeeds':
      return l10n.t('{0} sent to the seed tasks.', said);
  }
}
