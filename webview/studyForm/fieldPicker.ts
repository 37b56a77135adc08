/** Chooses a field of the experiment: a list in the groups of the experiment form, and a button that adds it. */
import * as l10n from '@vscode/l10n';
import type { FieldPath } from '../../src/shared/experiment/field.ts';
import { fields, isFieldPath } from '../../src/shared/experiment/fields.ts';
import { kindOf } from '../../src/shared/experiment/kind.ts';
import { at } from '../../src/shared/experiment/resolve.ts';
import type { Experiment } from '../../src/shared/experiment/schema.ts';
import { groups, titleOf } from '../experiment/groups.ts';
import { button } from '../lib/components/button.ts';
import { element } from '../lib/element.ts';

/** The study sets these itself. */
const taken: ReadonlySet<string> = new Set(['name', 'seed', 'epochs', 'budget', 'earlyStop', 'version']);

export const fieldWords = (path: string): string => {
  if (!isFieldPath(path)) return path;
  const { label, symbol } = fields[path];
  return symbol === undefined ? l10n.t(label) : `${l10n.t(label)} (${symbol})`;
};

export interface FieldPickerOptions {
  /** For assistive technology, and what the button says. */
  name: string;
  add: string;
  key: string;
  base: Experiment | null;
  /** Fields that are there already. */
  used: readonly string[];
  /** Kinds of field that can be used. */
  fits: (kind: ReturnType<typeof kindOf>['kind']) => boolean;
  pick: (field: FieldPath) => void;
}

export function fieldPicker({ name, add, key, base, used, fits, pick }: FieldPickerOptions): HTMLElement {
  const list = element('select', { class: 'select', 'aria-label': name });
  list.dataset['key'] = key;
  list.append(element('option', { value: '' }, l10n.t('Choose a field…')));
  const group = (title: string, paths: readonly FieldPath[]): void => {
    const options = paths
      .filter((path) => offered(path, base) && !used.includes(path) && fits(kindOf(path).kind))
      .map((path) => element('option', { value: path }, fieldWords(path)));
    if (options.length > 0) list.append(element('optgroup', { label: title }, ...options));
  };
  group(l10n.t('Whole'), ['mode', 'preset']);
  for (const one of groups) {
    group(
      titleOf(one),
      one.parts.flatMap((part) => part.fields),
    );
  }
  const put = button({
    text: add,
    press: () => {
      if (isFieldPath(list.value)) pick(list.value);
    },
  });
  put.disabled = true;
  list.addEventListener('change', () => {
    put.disabled = list.value === '';
  });
  list.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && isFieldPath(list.value)) pick(list.value);
  });
  return element('div', { class: 'picker' }, list, put);
}

function offered(path: FieldPath, base: Experiment | null): boolean {
  if (taken.has(path.split('.')[0] ?? '')) return false;
  if (!path.startsWith('endpoints.')) return true;
  // Another kind of endpoint has other fields: it is chosen in the experiment.
  return !path.endsWith('.kind') && base !== null && at(base, path.split('.')) !== undefined;
}
