/**
 * One field of a task: typed text waits here until the user leaves the field, and then becomes one edit of the
 * document, which the editor undoes as one step. An invalid text stays here, with its fault.
 */
import * as l10n from '@vscode/l10n';
import type { TaskDetail, TaskField, TaskRemark } from '../../../src/features/tasks/contract.ts';
import { RpcError } from '../../../src/shared/rpc/rpcError.ts';
import { element } from '../../lib/element.ts';
import { wordDiff } from '../../../src/shared/text/wordDiff.ts';
import type { FieldInput, InputEvents } from './fieldInput.ts';
import { prose, sameText, textOf } from './fieldText.ts';
import type { PendingTexts } from '../pendingTexts.ts';
import { hiddenRemarks } from './hiddenRemarks.ts';
import { remarksList } from './remarksList.ts';

/** Milliseconds without a key after which a text is checked. */
const pause = 300;

export interface FieldHost {
  pending: PendingTexts;
  check: (id: string, field: TaskField, text: string, signal: AbortSignal) => Promise<TaskRemark[]>;
  /** Comes back once the page was shown the task after it. */
  edit: (id: string, field: TaskField, text: string) => Promise<TaskRemark[]>;
  /** The pending text changed. */
  kept: () => void;
  failed: (error: unknown) => void;
}

export interface FieldOptions {
  field: TaskField;
  title: string;
  /** The allowed content. */
  hint: string;
  input: (events: InputEvents) => FieldInput;
}

export interface ShownField {
  detail: TaskDetail;
  editable: boolean;
  /** Typed text is compared with the recorded one. */
  compared: boolean;
}

export class FieldEditor {
  readonly node: HTMLElement;
  readonly #field: TaskField;
  readonly #host: FieldHost;
  readonly #input: FieldInput;
  readonly #remarks = remarksList();
  readonly #state = element('span', { class: 'field-state', role: 'status' });
  readonly #recorded = element('div', { class: 'recorded', hidden: '' });
  readonly #back = element('button', { type: 'button', class: 'link' }, l10n.t('Take Back'));
  #id = '';
  /** As the document has it. */
  #document = '';
  #before: string | null = null;
  #own: TaskRemark[] = [];
  /** Remarks on the other fields that exist anyway. */
  #others = new Set<string>();
  /** Of the text that is typed. */
  #checked: TaskRemark[] | null = null;
  #refused = false;
  #editable = false;
  #compared = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #checking: AbortController | undefined;
  #sending: Promise<void> | null = null;

  constructor({ field, title, hint, input }: FieldOptions, host: FieldHost) {
    this.#field = field;
    this.#host = host;
    this.#input = input({ typed: () => this.#typed(), done: () => void this.commit() });
    this.#back.title = l10n.t('As it was recorded');
    this.#back.addEventListener('click', () => this.#takeBack());
    const head = element('div', { class: 'field-head' }, element('h3', {}, title), this.#state, this.#back);
    const about = element('p', { class: 'hint quiet' }, hint);
    this.node = element(
      'div',
      { class: 'field', role: 'group', 'aria-label': title, 'data-field': field },
      ...[head, about, this.#input.node, this.#remarks.node, this.#recorded],
    );
    this.node.addEventListener('focusout', () => void this.commit());
    this.node.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void this.commit();
    });
  }

  /** Something is typed that the document does not have. */
  get pending(): boolean {
    return this.#host.pending.get(this.#id, this.#field) !== undefined;
  }

  show({ detail, editable, compared }: ShownField): void {
    const { row, draft, recorded, remarks } = detail;
    if (row.id !== this.#id) this.#forget();
    this.#id = row.id;
    this.#document = textOf(this.#field, draft);
    this.#before = recorded === null ? null : textOf(this.#field, recorded);
    this.#own = remarks.filter((one) => this.#isOwn(one));
    this.#others = new Set(remarks.filter((one) => !this.#isOwn(one)).map(({ message }) => message));
    this.#editable = editable;
    this.#compared = compared;
    const pending = this.#host.pending.get(this.#id, this.#field);
    if (pending !== undefined && sameText(this.#field, pending, this.#document)) this.#settle();
    const typed = this.#host.pending.get(this.#id, this.#field) ?? this.#document;
    // Typed text with the same meaning keeps its form while the cursor is in it.
    const here = this.#input.node.contains(document.activeElement);
    if (!here || !sameText(this.#field, this.#input.text(), typed)) this.#input.set(typed);
    if (pending !== undefined && this.#checked === null) this.#later();
    this.#draw();
  }

  /** Makes typed text an edit. Resolves when it is one, or cannot be. */
  async commit(): Promise<void> {
    const id = this.#id;
    if (this.#sending !== null) await this.#sending;
    const text = this.#host.pending.get(id, this.#field);
    if (id === this.#id && text === undefined) {
      // Formatted again once the user has left it.
      if (!this.#input.node.contains(document.activeElement)) this.#input.set(this.#document);
      return;
    }
    if (text === undefined || (id === this.#id && this.#refused)) return;
    this.#sending = this.#send(id, text).finally(() => (this.#sending = null));
    await this.#sending;
  }

  async #send(id: string, text: string): Promise<void> {
    const { pending, edit, failed, kept } = this.#host;
    // Its answer contains a check's remarks.
    clearTimeout(this.#timer);
    this.#checking?.abort();
    try {
      const remarks = await edit(id, this.#field, text);
      if (pending.get(id, this.#field) !== text) return;
      const refused = remarks.some(({ severity }) => severity === 'error');
      if (!refused) pending.drop(id, this.#field);
      if (id === this.#id) {
        this.#refused = refused;
        this.#checked = refused ? remarks : null;
        if (!refused) this.#input.set(this.#document);
        this.#draw();
      }
      kept();
    } catch (error) {
      failed(error);
    }
  }

  #typed(): void {
    const text = this.#input.text();
    this.#refused = false;
    if (sameText(this.#field, text, this.#document)) this.#settle();
    else {
      this.#host.pending.set(this.#id, this.#field, text);
      this.#later();
    }
    this.#host.kept();
    this.#draw();
  }

  #takeBack(): void {
    if (this.#before === null) return;
    this.#input.set(this.#before);
    this.#typed();
    void this.commit();
  }

  /** Nothing is pending any more. */
  #settle(): void {
    this.#host.pending.drop(this.#id, this.#field);
    this.#forget();
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#checking?.abort();
    this.#checked = null;
    this.#refused = false;
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#checking?.abort();
    this.#timer = setTimeout(() => void this.#check(), pause);
  }

  async #check(): Promise<void> {
    const text = this.#host.pending.get(this.#id, this.#field);
    if (text === undefined) return;
    const checking = new AbortController();
    this.#checking = checking;
    try {
      this.#checked = await this.#host.check(this.#id, this.#field, text, checking.signal);
      if (!checking.signal.aborted) this.#draw();
    } catch (error) {
      if (!RpcError.is(error, 'cancelled')) this.#host.failed(error);
    }
  }

  #isOwn({ field }: TaskRemark): boolean {
    return field === this.#field || field.startsWith(`${this.#field}.`);
  }

  #draw(): void {
    const { pending } = this;
    this.#input.enable(this.#editable);
    const told = (one: TaskRemark): boolean => this.#isOwn(one) || !this.#others.has(one.message);
    const remarks = pending ? (this.#checked ?? []).filter(told) : this.#own;
    const now = pending ? this.#input.text() : this.#document;
    this.#remarks.show([...remarks, ...hiddenRemarks(this.#field, prose(this.#field, now))]);
    this.#input.describe(
      this.#remarks.node.id,
      remarks.some(({ severity }) => severity === 'error'),
    );
    this.#state.textContent = this.#refused
      ? l10n.t('cannot be read: not in the task yet')
      : pending
        ? l10n.t('editing · Ctrl+Enter to apply')
        : '';
    this.#state.classList.toggle('refused', this.#refused);
    const differs = this.#before !== null && !sameText(this.#field, this.#before, now);
    this.#back.hidden = !(differs && this.#editable);
    this.#recorded.hidden = !(differs && this.#compared) || this.#refused;
    this.#recorded.replaceChildren(
      ...(this.#recorded.hidden || this.#before === null
        ? []
        : differences(prose(this.#field, this.#before), prose(this.#field, now))),
    );
  }
}

function differences(before: string, now: string): Node[] {
  const said = element('p', { class: 'said' });
  for (const { kind, text } of wordDiff(before, now)) {
    if (said.childNodes.length > 0) said.append(' ');
    said.append(kind === 'same' ? text : element(kind === 'missing' ? 'del' : 'ins', {}, text));
  }
  return [element('p', { class: 'quiet' }, l10n.t('As recorded, and as it is now')), said];
}
