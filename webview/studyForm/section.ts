/** The parts that the form is made of, and what they edit by. */
import type { Path } from '../../src/shared/experiment/text/jsonText.ts';
import type { StudyPlan, StudyProblem } from '../../src/features/studyForm/contract.ts';
import { numberField } from '../lib/components/numberField.ts';
import { numberOf } from '../lib/components/numbers.ts';
import { dropdown } from '../lib/components/dropdown.ts';
import { element } from '../lib/element.ts';
import { ProblemList } from '../lib/forms/problemList.ts';

export interface Editing {
  /** In the file, or typed. */
  value(path: Path): unknown;
  /** Still being typed. */
  later(path: Path, to: unknown): void;
  now(path: Path, to: unknown): void;
  leaveOut(path: Path): void;
  rename(path: Path, name: string): void;
  flush(): void;
  openText(at: { line: number; column: number } | null): void;
  /** Null when no file was chosen. */
  browse(field: string): Promise<string | null>;
  /** To a control, by the key that it has. */
  focus(key: string): void;
  openBase(): void;
  newExperiment(): void;
  /** Null before the host has told it. */
  plan(): StudyPlan | null;
}

export interface Section {
  node: HTMLElement;
  update(): void;
  complain(problems: readonly StudyProblem[]): void;
}

/** @param field its field in the file, which names it: `#part-arms` */
export function section(
  { title, about, field, openText }: { title: string; about: string; field: string } & Pick<Editing, 'openText'>,
  update: () => void,
  ...children: readonly HTMLElement[]
): Section {
  const problems = new ProblemList((at) => openText(at));
  const node = element(
    'section',
    { class: 'part', id: `part-${field}`, 'aria-labelledby': `title-${field}` },
    element('h2', { id: `title-${field}`, tabindex: '-1' }, title),
    element('p', { class: 'about' }, about),
    problems.node,
    ...children,
  );
  return {
    node,
    update,
    complain: (found) => problems.update(found),
  };
}

/** A name above a control, and its fault below. */
export function labelled(label: string, control: HTMLElement, ...more: readonly HTMLElement[]): HTMLElement {
  return element(
    'div',
    { class: 'labelled' },
    element('span', { class: 'label', 'aria-hidden': 'true' }, label),
    control,
    ...more,
  );
}

export interface Row {
  node: HTMLElement;
  update(): void;
}

export interface NumberOptions {
  label: string;
  path: Path;
  /** Where the file leaves it out. */
  usual: number;
  whole?: boolean;
  least: number;
  most?: number;
  step?: number | 'ratio';
  /** In place of writing it at the path. */
  set?: (value: number) => void;
  value?: () => unknown;
}

export function numberRow(editing: Editing, options: NumberOptions): Row {
  const { label, path, usual, whole = false, least, most = null, step = 1, set } = options;
  const value = options.value ?? (() => editing.value(path) ?? usual);
  const trouble = element('p', { class: 'complaint', role: 'alert', hidden: '' });
  const field = numberField({
    ...{ name: label, whole, least, most, step, from: () => usual },
    input(to) {
      if (to === null || (whole && !Number.isInteger(to))) return;
      if (set === undefined) editing.later(path, to);
      else set(to);
    },
    commit() {
      editing.flush();
      // One that was not taken, such as a part of what is counted.
      const typed = numberOf(field.text(), whole);
      if (typed !== undefined && typed !== value()) field.revert(value());
    },
    complain(text) {
      trouble.hidden = text === '';
      trouble.textContent = text;
    },
  });
  field.node.dataset['key'] = `${path.join('.')} ${label}`;
  return { node: labelled(label, field.node, trouble), update: () => field.show(value()) };
}

export interface ChoiceOptions {
  label: string;
  choices: readonly { value: string; text: string }[];
  value: () => string;
  change: (value: string) => void;
}

export function choiceRow({ label, choices, value, change }: ChoiceOptions): Row {
  const list = dropdown({ name: label, choices, change });
  list.node.dataset['key'] = label;
  return { node: labelled(label, list.node), update: () => list.set(value()) };
}
