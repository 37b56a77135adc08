/** One value of the file: its name on the left, its control on the right, its fault below. */
import * as l10n from '@vscode/l10n';
import type { AdapterProblem } from '../../src/features/adapter/contract.ts';
import { dropdown } from '../lib/components/dropdown.ts';
import { numberField, type NumberFieldOptions } from '../lib/components/numberField.ts';
import { textField } from '../lib/components/textField.ts';
import { whileTyping } from '../lib/components/whileTyping.ts';
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
): Omit<Row, 'show'> & { say(own: string): void } {
  // The focus comes back to it in a form that is built again.
  control.dataset['field'] = field;
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
  let [own, found] = ['', ''];
  const draw = (): void => {
    trouble.textContent = own === '' ? found : own;
    trouble.hidden = trouble.textContent === '';
    node.classList.toggle('wrong', !trouble.hidden);
  };
  return {
    node,
    field,
    complain(problems) {
      found = problems.map(({ message, remedy }) => `${message} ${remedy}`.trim()).join(' ');
      draw();
    },
    say(text) {
      own = text;
      draw();
    },
  };
}

export interface TextRowOptions extends RowOptions {
  /** With every letter; the text as the value that it means. */
  input: (text: string) => void;
  commit: () => void;
  /** A value as its text, and a text as its value. */
  text?: (value: unknown) => string;
  read?: (text: string) => unknown;
  more?: readonly HTMLElement[];
}

const plain = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

const asTyped = (text: string): unknown => text;

/** One line. */
export function textRow({ input, commit, text = plain, read = asTyped, more = [], ...options }: TextRowOptions): Row {
  const control = textField({ name: options.label, input, commit });
  control.describe({ 'aria-description': options.help });
  const show = whileTyping(control, { text, read });
  return { ...row(options, control.node, more), show: (value) => void show(value) };
}

/** Several lines. */
export function areaRow({ input, commit, text = plain, read = asTyped, more = [], ...options }: TextRowOptions): Row {
  const area = element('textarea', {
    'aria-label': options.label,
    'aria-description': options.help,
    rows: '3',
    spellcheck: 'false',
  });
  area.addEventListener('input', () => input(area.value));
  area.addEventListener('change', commit);
  const set = (to: string): void => {
    area.dataset['said'] = to;
    if (area.value !== to) area.value = to;
  };
  const show = whileTyping({ node: area, text: () => area.value, set }, { text, read });
  return { ...row(options, area, more), show: (value) => void show(value) };
}

export interface NumberRowOptions extends RowOptions, Pick<NumberFieldOptions, 'whole' | 'least' | 'most' | 'step'> {
  /** With every number. */
  input: (value: number) => void;
  /** Left empty; null where a number has to be there, which then comes back. */
  leaveOut: (() => void) | null;
  commit: () => void;
  value: () => unknown;
}

export function numberRow({ input, leaveOut, commit, value, ...options }: NumberRowOptions): Row {
  const { label, help, whole, least, most, step } = options;
  let emptied = false;
  const field = numberField({
    ...{ name: label, whole, least, most, step, from: () => least ?? 0 },
    input(to) {
      // An empty field may be on its way to another number until it is left.
      emptied = to === null;
      if (to !== null) input(to);
    },
    commit() {
      if (emptied) leaveOut?.();
      commit();
      if (emptied && leaveOut === null) field.revert(value());
      emptied = false;
    },
    complain(trouble) {
      made.say(trouble);
      // The fault was its description.
      if (trouble === '') field.describe({ 'aria-description': help });
    },
  });
  const made = row(options, field.node, []);
  field.describe({ 'aria-description': help });
  return { ...made, show: (to) => field.show(to) };
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
