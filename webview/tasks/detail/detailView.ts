/** One task: its facts, its editable fields, the effect of an edit, its attempts, its origin. */
import * as l10n from '@vscode/l10n';
import type { TaskDetail, TasksReattempt, TasksSource } from '../../../src/features/tasks/contract.ts';
import { element } from '../../lib/element.ts';
import { Table } from '../../lib/lists/table.ts';
import { attemptsTable } from './attempts.ts';
import { DetailHead, type HeadHost } from './detailHead.ts';
import { FieldEditor, type FieldHost } from './fieldEditor.ts';
import { plainInput } from './fieldInput.ts';
import { lineageList, type Opened } from './lineage.ts';
import { Reattempt } from '../reattempt.ts';
import { remarksList } from './remarksList.ts';
import { whyFixed } from '../sourceHead.ts';
import { turnsInput } from './turnsInput.ts';

export interface DetailHost extends FieldHost, Omit<HeadHost, 'open'> {
  open: (what: Opened) => void;
  reattempt: (id: string, attempts: number) => void;
  stopReattempt: (id: string) => void;
}

export class DetailView {
  readonly node: HTMLElement;
  readonly #host: DetailHost;
  readonly #head: DetailHead;
  readonly #fields: readonly FieldEditor[];
  readonly #remarks = remarksList();
  readonly #compare = element('button', { type: 'button', class: 'link', 'aria-pressed': 'false' });
  readonly #reattempt: Reattempt;
  readonly #attempts: Table;
  readonly #none = element('p', { class: 'quiet' }, l10n.t('No attempts yet.'));
  readonly #lineage = element('div');
  #detail: TaskDetail | null = null;
  #source: TasksSource | null = null;
  #compared = false;

  constructor(host: DetailHost) {
    this.#host = host;
    const id = (): string => this.#detail?.row.id ?? '';
    this.#head = new DetailHead({ ...host, open: () => host.open({ task: id() }) });
    this.#fields = fields(host);
    this.#reattempt = new Reattempt({
      start: (attempts) => void this.commit().then(() => host.reattempt(id(), attempts)),
      stop: () => host.stopReattempt(id()),
    });
    this.#attempts = new Table(
      l10n.t('Attempts'),
      attemptsTable([], () => undefined),
    );
    this.#compare.addEventListener('click', () => {
      this.#compared = !this.#compared;
      this.#draw();
    });
    const section = (title: string, ...children: Node[]): HTMLElement =>
      element('section', {}, element('h3', { class: 'section-title' }, title), ...children);
    this.node = element(
      'article',
      { class: 'detail-body' },
      this.#head.node,
      element('div', { class: 'compare-line' }, this.#compare),
      this.#remarks.node,
      ...this.#fields.map(({ node }) => node),
      section(l10n.t('Re-attempt'), this.#reattempt.node),
      section(l10n.t('Attempts'), this.#none, this.#attempts.node),
      section(l10n.t('Lineage'), this.#lineage),
    );
  }

  /** Of which task; null while none is shown. */
  get id(): string | null {
    return this.#detail?.row.id ?? null;
  }

  /** The fields that a person types in. */
  get fields(): readonly FieldEditor[] {
    return this.#fields;
  }

  /** Makes everything that is typed edits. */
  async commit(): Promise<void> {
    await Promise.all(this.#fields.map((field) => field.commit()));
  }

  show(source: TasksSource, detail: TaskDetail): void {
    if (detail.row.id !== this.id) {
      // Typed in the task before, which the person just left.
      void this.commit();
      this.node.parentElement?.scrollTo(0, 0);
    }
    this.#source = source;
    this.#detail = detail;
    this.#draw();
    const { attempts } = detail;
    this.#none.hidden = attempts.length > 0;
    this.#attempts.node.hidden = attempts.length === 0;
    this.#attempts.show(attemptsTable(attempts, (trace) => this.#host.open({ trace })));
    this.#lineage.replaceChildren(lineageList(detail.lineage, this.#host.open));
  }

  showReattempt(state: TasksReattempt | null): void {
    if (this.#source === null || this.#detail === null) return;
    const { attempts } = this.#source;
    this.#reattempt.show(attempts.group, attempts.why, state, this.#detail.recorded !== null);
  }

  reattempt(): void {
    this.#reattempt.press();
  }

  focus(): void {
    this.#head.focus();
  }

  #draw(): void {
    const [source, detail] = [this.#source, this.#detail];
    if (source === null || detail === null) return;
    this.#head.show(detail);
    const compared = this.#compared && detail.recorded !== null;
    this.#compare.parentElement?.toggleAttribute('hidden', detail.recorded === null);
    this.#compare.textContent = compared ? l10n.t('Hide what was recorded') : l10n.t('Compare with what was recorded');
    this.#compare.setAttribute('aria-pressed', String(compared));
    const editable = whyFixed(source) === null;
    for (const field of this.#fields) field.show({ detail, editable, compared });
    const own = ['prompt', 'tools', 'evaluation', 'gold'];
    this.#remarks.show(detail.remarks.filter(({ field }) => !own.includes(field.split('.')[0] ?? '')));
  }
}

function fields(host: FieldHost): FieldEditor[] {
  const [prompt, gold] = [l10n.t('Prompt'), l10n.t('Gold')];
  const [evaluation, tools] = [l10n.t('Evaluation'), l10n.t('Tools')];
  return [
    new FieldEditor({ field: 'prompt', title: prompt, hint: '', input: turnsInput }, host),
    new FieldEditor(
      {
        field: 'gold',
        title: gold,
        hint: l10n.t('The answer or action that the checker compares with. Empty: none.'),
        input: (events) => plainInput(gold, events),
      },
      host,
    ),
    new FieldEditor(
      {
        field: 'evaluation',
        title: evaluation,
        hint: l10n.t('How an answer is judged, as JSON; “kind” names the rule.'),
        input: (events) => plainInput(evaluation, events),
      },
      host,
    ),
    new FieldEditor(
      {
        field: 'tools',
        title: tools,
        hint: l10n.t('Tools that may be called, as a JSON list. Empty: none of its own.'),
        input: (events) => plainInput(tools, events),
      },
      host,
    ),
  ];
}
