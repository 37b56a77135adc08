/** Tasks that were changed here and on the disk: both versions of each field, and a choice between them. */
import * as l10n from '@vscode/l10n';
import { withMarksShown } from '../../src/shared/text/hiddenMarks.ts';
import { wordDiff } from '../../src/shared/text/wordDiff.ts';
import type { TaskConflict, TaskConflicts } from '../../src/features/tasks/contract.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';
import { element } from '../lib/element.ts';

type Choice = 'mine' | 'theirs';
type Field = TaskConflict['fields'][number];

export interface ConflictsHost {
  /** @param key of one conflict, null for all undecided; @param field of it, null for all */
  decide: (key: string | null, field: string | null, choice: Choice) => void;
  /** Shows the task itself. */
  show: (id: string) => void;
}

export class ConflictsView {
  readonly node: HTMLElement;
  readonly #host: ConflictsHost;
  readonly #title = element('h2', { id: 'conflicts-title', tabindex: '-1' });
  readonly #state = element('p', { class: 'quiet', role: 'status' });
  readonly #all = element('p', { class: 'conflict-buttons' });
  readonly #list = element('div');

  constructor(host: ConflictsHost) {
    this.#host = host;
    this.#all.append(
      this.#button(l10n.t('Keep Mine Everywhere'), () => host.decide(null, null, 'mine')),
      this.#button(l10n.t('Take the Disk’s Everywhere'), () => host.decide(null, null, 'theirs')),
    );
    this.node = element(
      'section',
      { class: 'conflicts', 'aria-labelledby': 'conflicts-title', hidden: '' },
      ...[this.#title, this.#state, this.#all, this.#list],
    );
  }

  show({ shown, count: all, undecided }: TaskConflicts): void {
    const focused = document.activeElement instanceof HTMLInputElement ? document.activeElement.id : null;
    this.node.hidden = all === 0;
    this.#title.textContent =
      all === 1
        ? l10n.t('1 task was changed here and on the disk')
        : l10n.t('{0} tasks were changed here and on the disk', count(all));
    this.#state.textContent =
      undecided === 0
        ? l10n.t('All are decided. Saving writes them; Ctrl+Z takes a decision back.')
        : l10n.t('{0} to decide. Nothing is saved before; Ctrl+Z takes a decision back.', count(undecided));
    this.#all.hidden = undecided === 0;
    const left = all - shown.length;
    this.#list.replaceChildren(
      ...shown.map((conflict, i) => this.#conflict(conflict, i)),
      ...(left > 0
        ? [element('p', { class: 'quiet' }, l10n.t('{0} more follow once these are saved.', count(left)))]
        : []),
    );
    // The keyboard stays where it was.
    if (focused !== null && focused !== '') document.getElementById(focused)?.focus();
  }

  /** The first undecided field, else the title. */
  focus(): void {
    this.node.scrollIntoView({ block: 'nearest' });
    const open = this.#list.querySelector<HTMLInputElement>('fieldset.undecided input');
    (open ?? this.#title).focus();
  }

  #conflict(conflict: TaskConflict, at: number): HTMLElement {
    const { key, id, gone, fields } = conflict;
    const show = element('button', { type: 'button', class: 'link' }, withMarksShown(id));
    show.addEventListener('click', () => this.#host.show(id));
    const title = gone
      ? element(
          'h3',
          {},
          withMarksShown(id),
          ' ',
          element('span', { class: 'quiet' }, l10n.t('edited here, removed on the disk')),
        )
      : element('h3', {}, show);
    return element(
      'article',
      { class: 'conflict', 'aria-label': id },
      title,
      ...(fields.length < 2
        ? []
        : [
            element(
              'p',
              { class: 'conflict-buttons' },
              this.#button(l10n.t('Mine for All Fields'), () => this.#host.decide(key, null, 'mine'), id),
              this.#button(l10n.t('The Disk’s for All Fields'), () => this.#host.decide(key, null, 'theirs'), id),
            ),
          ]),
      ...fields.map((field, i) => this.#field(conflict, field, `${at}-${i}`)),
    );
  }

  #field({ key, gone }: TaskConflict, field: Field, at: string): HTMLElement {
    const { name, mine, theirs, choice } = field;
    const option = (value: Choice, label: string, said: Node): HTMLElement => {
      const input = element('input', { type: 'radio', name: `choice-${at}`, id: `choice-${at}-${value}` });
      input.checked = choice === value;
      input.addEventListener('change', () => this.#host.decide(key, name, value));
      const title = element('span', { class: 'choice-title' }, input, label);
      return element('label', { class: 'version' }, title, said);
    };
    const versions = gone
      ? [
          option('mine', l10n.t('Put it back with my edits'), said(mine)),
          option('theirs', l10n.t('Leave it removed'), element('span')),
        ]
      : [
          option('mine', l10n.t('Mine'), differing(theirs, mine)),
          option('theirs', l10n.t('On the disk'), differing(mine, theirs)),
        ];
    return element(
      'fieldset',
      { class: choice === null ? 'undecided' : '' },
      element('legend', {}, fieldWord(name), choice === null ? ` · ${l10n.t('undecided')}` : ''),
      element('div', { class: 'versions' }, ...versions),
    );
  }

  /** @param of a task, for a person who hears the button alone */
  #button(text: string, act: () => void, of = ''): HTMLButtonElement {
    const node = element('button', { type: 'button', class: 'button' }, text);
    if (of !== '') node.setAttribute('aria-label', `${text}: ${of}`);
    node.addEventListener('click', act);
    return node;
  }
}

const fieldWord = (name: Field['name']): string =>
  ({
    prompt: l10n.t('Prompt'),
    gold: l10n.t('Gold'),
    evaluation: l10n.t('Evaluation'),
    tools: l10n.t('Tools'),
    plan: l10n.t('Plan'),
    excluded: l10n.t('Why it is excluded'),
    tags: l10n.t('Tags'),
    task: l10n.t('Task'),
  })[name];

const said = (text: string): HTMLElement =>
  element('span', { class: 'said' }, text === '' ? l10n.t('empty') : withMarksShown(text));

/** A text, with the words marked that the other one lacks. */
function differing(other: string, text: string): HTMLElement {
  if (text === '') return said(text);
  const node = element('span', { class: 'said' });
  for (const { kind, text: words } of wordDiff(withMarksShown(other), withMarksShown(text))) {
    if (kind === 'missing') continue;
    if (node.childNodes.length > 0) node.append(' ');
    node.append(kind === 'same' ? words : element('ins', {}, words));
  }
  return node;
}
