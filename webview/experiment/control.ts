/** The control of one field, by the kind of value it holds. */
import type { FieldPath } from '../../src/shared/experiment/field.ts';
import { fields } from '../../src/shared/experiment/fields.ts';
import { kindOf, type FieldKind } from '../../src/shared/experiment/kind.ts';
import { methodFields } from '../../src/shared/experiment/named/methods.ts';
import { isObject } from '../../src/shared/experiment/resolve.ts';
import type { FieldEdit } from '../../src/shared/experiment/text/textEdit.ts';
import { button } from '../lib/components/button.ts';
import { checkbox } from '../lib/components/checkbox.ts';
import { dropdown } from '../lib/components/dropdown.ts';
import { numberField } from '../lib/components/numberField.ts';
import { textField } from '../lib/components/textField.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { significant } from '../../src/shared/text/figures/numbers.ts';

export interface ControlHost {
  /** Still being typed. */
  later(edit: FieldEdit): void;
  now(edit: FieldEdit): void;
  /** Commits the typed text. */
  flush(): void;
  /** Lets a person choose a file. */
  browse(field: FieldPath): void;
  /** The value in force without this file's own. */
  presetValue(field: FieldPath): unknown;
  value(field: FieldPath): unknown;
  /** Opens the experiment as text. */
  openText(at: { line: number; column: number } | null): void;
}

export interface Control {
  node: HTMLElement;
  /** The focusable element. */
  input: HTMLElement;
  show: (value: unknown) => void;
}

/** Where early stopping starts when it is switched on. */
const earlyStop = { patience: 5, minImprovement: 0.005 };

/** Fields beside the drawing can be drawn along: from, to, step. Beyond that they are typed. */
const slides: Partial<Record<FieldPath, readonly [from: number, to: number, step: number]>> = {
  'curriculum.alpha': [0.05, 0.95, 0.01],
  'curriculum.beta': [0.5, 40, 0.5],
  'curriculum.lambda': [0, 20, 0.5],
  'curriculum.kMin': [0, 0.5, 0.01],
};

/** @param complain shows the fault of a text that cannot become a value */
export function control(path: FieldPath, host: ControlHost, complain: (trouble: string) => void): Control {
  const kind = kindOf(path);
  const at = path.split('.');
  const name = l10n.t(fields[path].label);
  switch (kind.kind) {
    case 'number':
      return numberControl(path, kind, host, complain);
    case 'choice': {
      const choices = kind.choices.map((value) => ({ value, text: value }));
      const list = dropdown({
        name,
        choices,
        change: (to) => {
          // The file's own values of these would hide the method's.
          if (path === 'method') for (const field of methodFields) host.later({ path: field.split('.') });
          host.now(chosen(path, to, host));
        },
      });
      return { node: list.node, input: list.node, show: (value) => list.set(words(value)) };
    }
    case 'flag': {
      const box = checkbox({ name, change: (to) => host.now({ path: at, to }) });
      return { node: box.node, input: box.node, show: (value) => box.set(value === true) };
    }
    case 'section': {
      const box = checkbox({
        name,
        change: (on) => host.now(on ? { path: at, to: earlyStop } : absent(path, host)),
      });
      return { node: box.node, input: box.node, show: (value) => box.set(value !== null && value !== undefined) };
    }
    case 'list':
      return listControl(path, host);
    case 'text':
    case 'file':
      return textControl(path, kind, host);
  }
}

/**
 * Where an edit of a field is made. Another kind of endpoint has other fields: it is chosen, and left to the preset, as
 * a whole.
 */
export function placeOf(path: FieldPath): string[] {
  const at = path.split('.');
  return path.startsWith('endpoints.') && at.at(-1) === 'kind' ? at.slice(0, -1) : at;
}

function chosen(path: FieldPath, to: string, host: ControlHost): FieldEdit {
  const place = placeOf(path);
  if (place.length === path.split('.').length) return { path: place, to };
  return to === host.presetValue(path) ? { path: place } : { path: place, to: { kind: to } };
}

/** Null, or left out where the preset has null anyway. */
const absent = (path: FieldPath, host: ControlHost): FieldEdit => ({
  path: path.split('.'),
  ...(host.presetValue(path) !== null && { to: null }),
});

/** The entries; they are edited in the text. */
function listControl(path: FieldPath, host: ControlHost): Control {
  const shown = element('span', { class: 'entries' });
  const edit = button({ text: l10n.t('Edit as Text'), press: () => host.openText(null) });
  return {
    node: element('div', { class: 'list' }, shown, edit),
    input: edit,
    show: (value) => {
      const entries = Array.isArray(value) ? value.filter(isObject) : [];
      const named = entries.map(({ file, name, share, epoch, alpha }) =>
        epoch === undefined ? `${words(file ?? name)} (${words(share)})` : `${words(epoch)}: ${words(alpha)}`,
      );
      shown.textContent = named.length === 0 ? l10n.t(fields[path].none ?? 'none') : named.join(', ');
    },
  };
}

function numberControl(
  path: FieldPath,
  kind: Extract<FieldKind, { kind: 'number' }>,
  host: ControlHost,
  complain: (trouble: string) => void,
): Control {
  const { label, none, step = 1, unit } = fields[path];
  const at = path.split('.');
  let emptied = false;
  const field = numberField({
    name: l10n.t(label),
    ...(none !== undefined && { placeholder: l10n.t(none) }),
    whole: kind.whole,
    least: kind.least,
    most: kind.most,
    step,
    from: () => {
      const preset = host.presetValue(path);
      return typeof preset === 'number' ? preset : (kind.least ?? 0);
    },
    input(value) {
      // An empty field may be on its way to another number until it is left.
      emptied = value === null;
      if (value !== null) host.later({ path: at, to: value });
    },
    commit() {
      if (emptied && (kind.nullable ? host.value(path) !== null : true)) {
        host.now(kind.nullable ? absent(path, host) : { path: at });
      }
      emptied = false;
      host.flush();
      if (!kind.nullable && field.text().trim() === '') field.revert(host.value(path));
    },
    complain,
  });
  field.node.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') field.revert(host.value(path));
  });
  const percent = element('span', { class: 'unit' });
  const node = element('div', { class: 'control-number' }, field.node);
  const slider = sliderFor(
    path,
    (to) => host.later({ path: at, to }),
    () => host.flush(),
  );
  if (slider !== null) node.append(slider);
  if (kind.share) node.append(percent);
  else if (unit !== undefined) node.append(element('span', { class: 'unit' }, l10n.t(unit)));
  return {
    node,
    input: field.node,
    show(value) {
      field.show(value);
      if (slider !== null) slider.value = words(value);
      percent.textContent = typeof value === 'number' && !isSymbolic(path) ? share(value) : '';
    },
  };
}

/** For the pointer alone: keys and assistive technology have the number beside it. */
function sliderFor(path: FieldPath, slide: (to: number) => void, end: () => void): HTMLInputElement | null {
  const range = slides[path];
  if (range === undefined) return null;
  const [min, max, step] = range.map(String);
  const slider = element('input', { type: 'range', tabindex: '-1', 'aria-hidden': 'true' });
  slider.min = min ?? '';
  slider.max = max ?? '';
  slider.step = step ?? '';
  slider.addEventListener('input', () => slide(slider.valueAsNumber));
  slider.addEventListener('change', end);
  return slider;
}

/** α and k_min are read as numbers, not as per cent. */
const isSymbolic = (path: FieldPath): boolean => fields[path].symbol !== undefined;

const share = (value: number): string => `= ${significant(100 * value, 4)} %`;

function textControl(path: FieldPath, kind: { kind: 'text' | 'file'; nullable: boolean }, host: ControlHost): Control {
  const { label, none } = fields[path];
  const at = path.split('.');
  const edit = (text: string): FieldEdit =>
    text === '' && kind.nullable ? absent(path, host) : { path: at, to: text };
  const field = textField({
    name: l10n.t(label),
    ...(none !== undefined && { placeholder: l10n.t(none) }),
    input: (text) => host.later(edit(text)),
    commit: () => host.flush(),
  });
  const node = element('div', { class: 'control-text' }, field.node);
  if (kind.kind === 'file') {
    const browse = button({
      text: l10n.t('Browse…'),
      name: l10n.t('Browse for {0}', l10n.t(label)),
      press: () => host.browse(path),
    });
    node.append(browse);
  }
  return { node, input: field.node, show: (value) => field.set(words(value)) };
}

/** Any value of a file, as text. */
export function words(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
