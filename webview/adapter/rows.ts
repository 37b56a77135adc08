/** One value of the file: its name on the left, its control on the right, its fault below. */
import * as l10n from '@vscode/l10n';
import type { AdapterProblem } from '../../src/features/adapter/contract.ts';
import { dropdown } from '../lib/components/dropdown.ts';
import { textField } from '../lib/components/textField.ts';
import { element } from '../lib/element.ts';

export interface Row {
  node: HTMLElement;
  /** `task.gold`. */
  field: string;
  show(value: unknown): void;
  complain(problems: readonly AdapterProblem[]): void;
}

interface RowOptions {
  label: string;
  /** Its effect: sentences. */
  help: string;
  field: string;
}

function row(
  { label, help, field }: RowOptions,
  control: HTMLElement,
  more: readonly HTMLElement[],
): Omit<Row, 'show'> {
  const about = element('p', { class: 'help', 'aria-hidden': 'true' }, help);
  const trouble = element('p', { class: 'trouble', role: 'status' });
  const node = element(
    'div',
    { class: 'row' },
    element('span', { class: 'label' }, label),
    element('div', { class: 'control' }, control, ...more),
    about,
    trouble,
  );
  about.hidden = help === '';
  return {
    node,
    field,
    complain(problems) {
      trouble.textContent = problems.map(({ message, remedy }) => `${message} ${remedy}`.trim()).join(' ');
      trouble.hidden = problems.length === 0;
      node.classList.toggle('wrong', problems.length > 0);
    },
  };
}

export interface TextRowOptions extends RowOptions {
  /** With every letter; the text as the value that it means. */
  input: (text: string) => void;
  commit: () => void;
  /** A value as its text. */
  text?: (value: unknown) => string;
  more?: readonly HTMLElement[];
}

const plain = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** One line. */
export function textRow({ input, commit, text = plain, more = [], ...options }: TextRowOptions): Row {
  const control = textField({ name: options.label, input, commit });
  control.describe({ 'aria-description': options.help });
  return { ...row(options, control.node, more), show: (value) => control.set(text(value)) };
}

/** Several lines. */
export function areaRow({ input, commit, text = plain, more = [], ...options }: TextRowOptions): Row {
  const area = element('textarea', {
    'aria-label': options.label,
    'aria-description': options.help,
    rows: '3',
    spellcheck: 'false',
  });
  area.addEventListener('input', () => input(area.value));
  area.addEventListener('change', commit);
  return {
    ...row(options, area, more),
    show(value) {
      const wanted = text(value);
      if (area.value !== wanted) area.value = wanted;
    },
  };
}

export interface ChoiceRowOptions extends RowOptions {
  choices: readonly string[];
  change: (value: string) => void;
  more?: readonly HTMLElement[];
}

export function choiceRow({ choices, change, more = [], ...options }: ChoiceRowOptions): Row {
  const list = dropdown({
    name: options.label,
    choices: choices.map((value) => ({ value, text: value === '' ? l10n.t('not set') : value })),
    change,
  });
  list.node.setAttribute('aria-description', options.help);
  return { ...row(options, list.node, more), show: (value) => list.set(plain(value)) };
}
