import { TextField } from '@vscode/webview-ui-toolkit';
import { toolkitElement } from './toolkit.ts';

export interface TextFieldOptions {
  /** For assistive technology. */
  name: string;
  placeholder?: string;
  /** With every character. */
  input: (text: string) => void;
  /** Enter, or the focus is gone. */
  commit?: () => void;
  /** Keys that mean something here; true when it was used. */
  key?: (event: KeyboardEvent) => boolean;
}

export interface TextFieldControl {
  node: TextField;
  /** Keeps the user's typed text unless the value differs. Does not call `input`. `data-said` has it for a control in its place. */
  set(text: string): void;
  text(): string;
  /** Shows the fault of the text; '' for none. */
  complain(trouble: string): void;
  /** The input itself, for roles and values that the toolkit does not pass on. */
  describe(attributes: Readonly<Record<string, string | null>>): void;
}

/** One line of text. */
export function textField({ name, placeholder, input, commit, key }: TextFieldOptions): TextFieldControl {
  const node = toolkitElement('text-field', TextField);
  // The toolkit takes its name from its text whenever it enters the document; components.css hides the text.
  node.textContent = name;
  if (placeholder !== undefined) node.placeholder = placeholder;
  node.addEventListener('input', () => input(node.value));
  node.addEventListener('focusout', () => commit?.());
  node.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') commit?.();
    if (key?.(event) === true) event.preventDefault();
  });
  const attributes = new Map<string, string | null>();
  const apply = (): void => {
    // The inner input exists from when the element is connected.
    const control: HTMLInputElement | undefined = node.shadowRoot?.querySelector('input') ?? undefined;
    for (const [attribute, value] of attributes) {
      if (value === null) control?.removeAttribute(attribute);
      else control?.setAttribute(attribute, value);
    }
  };
  return {
    node,
    set(text) {
      node.dataset['said'] = text;
      if (node.value !== text) node.value = text;
    },
    text: () => node.value,
    complain(trouble) {
      node.classList.toggle('invalid', trouble !== '');
      attributes.set('aria-invalid', trouble === '' ? null : 'true');
      attributes.set('aria-description', trouble === '' ? null : trouble);
      apply();
    },
    describe(given) {
      for (const [attribute, value] of Object.entries(given)) attributes.set(attribute, value);
      if (node.isConnected) apply();
      else requestAnimationFrame(apply);
    },
  };
}
