import * as l10n from '@vscode/l10n';
import { numberOf, stepped, twoReadings } from './numbers.ts';
import { textField, type TextFieldControl } from './textField.ts';
import { whileTyping } from './whileTyping.ts';
import { defined } from '../../../src/shared/defined.ts';

export interface NumberFieldOptions {
  name: string;
  placeholder?: string;
  whole: boolean;
  least: number | null;
  most: number | null;
  /** The step of an arrow key; Shift makes it ten. `ratio`: goes through 1, 2, 5, 10 … */
  step: number | 'ratio';
  /** Where an arrow key starts in an empty field. */
  from: () => number;
  /** With every change that leaves a number, or nothing at all (null). */
  input: (value: number | null) => void;
  commit: () => void;
  complain: (trouble: string) => void;
}

export interface NumberFieldControl extends TextFieldControl {
  /** Shows a value, unless the typed text means the same, or is unfinished. */
  show(value: unknown): void;
  /** Restores the value in place of invalid text. */
  revert(value: unknown): void;
}

/** A number, typed or stepped with the arrow keys. */
export function numberField(options: NumberFieldOptions): NumberFieldControl {
  const { name, placeholder, step, least, most, whole } = options;
  const read = (text: string): void => {
    const value = numberOf(text, whole);
    const trouble = value === undefined ? troubleOf(text, whole) : '';
    control.complain(trouble);
    options.complain(trouble);
    if (value === undefined) return;
    control.describe({ 'aria-valuenow': value === null ? null : decimal(value) });
    options.input(value);
  };
  const control = textField({
    name,
    ...defined({ placeholder }),
    input: read,
    commit: options.commit,
    key(event) {
      const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (direction === undefined || event.altKey || event.ctrlKey || event.metaKey) return false;
      const value = numberOf(control.text(), whole) ?? options.from();
      const next = stepped(value, direction, step, event.shiftKey);
      const kept = Math.min(most ?? Infinity, Math.max(least ?? -Infinity, next));
      control.set(String(kept));
      read(String(kept));
      return true;
    },
  });
  control.describe({
    role: 'spinbutton',
    inputmode: whole ? 'numeric' : 'decimal',
    'aria-valuemin': least === null ? null : String(least),
    'aria-valuemax': most === null ? null : String(most),
  });
  const text = (value: unknown): string =>
    typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  const put = whileTyping(control, { text, read: (typed) => numberOf(typed, whole) });
  const shows = (value: unknown): void => {
    control.describe({ 'aria-valuenow': typeof value === 'number' ? decimal(value) : null });
    control.complain('');
    options.complain('');
  };
  return {
    ...control,
    show(value) {
      const isUnfinished = control.text().trim() === '' || numberOf(control.text(), whole) === undefined;
      if (isUnfinished && document.activeElement === control.node) return;
      if (put(value)) shows(value);
    },
    revert(value) {
      control.set(text(value));
      shows(value);
    },
  };
}

/** Why a text is not taken. */
function troubleOf(text: string, whole: boolean): string {
  const two = twoReadings(text, whole);
  const typed = text.trim();
  if (two === null) return l10n.t('“{0}” is not a number.', typed);
  return l10n.t('“{0}” may mean {1} or {2}: type one of these.', typed, String(two[0]), String(two[1]));
}

/** Without an exponent, which ARIA does not know. */
const decimal = (value: number): string => {
  const text = String(value);
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text;
};
