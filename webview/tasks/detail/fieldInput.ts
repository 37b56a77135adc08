/** A field's text as a person types it. */
import { element } from '../../lib/element.ts';

export interface FieldInput {
  node: HTMLElement;
  text(): string;
  /** Does not call `typed`. */
  set(text: string): void;
  enable(editable: boolean): void;
  /** The id of the element with the fault, and whether there is one. */
  describe(by: string, wrong: boolean): void;
}

export interface InputEvents {
  /** The text is another one. */
  typed: () => void;
  /** A choice was made that ends the typing. */
  done: () => void;
}

/** A text area as high as its text. @param name for assistive technology */
export function textArea(name: string, typed: () => void): HTMLTextAreaElement {
  const area = element('textarea', { class: 'text', 'aria-label': name, rows: '1', spellcheck: 'false' });
  area.addEventListener('input', typed);
  return area;
}

/** One text area for the whole field. */
export function plainInput(name: string, { typed }: InputEvents): FieldInput {
  const node = textArea(name, typed);
  return {
    node,
    text: () => node.value,
    set(text) {
      if (node.value !== text) node.value = text;
    },
    enable: (editable) => void (node.readOnly = !editable),
    describe: (by, wrong) => describe(node, by, wrong),
  };
}

export function describe(node: HTMLElement, by: string, wrong: boolean): void {
  node.setAttribute('aria-describedby', by);
  if (wrong) node.setAttribute('aria-invalid', 'true');
  else node.removeAttribute('aria-invalid');
}
