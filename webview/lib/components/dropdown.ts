import { Dropdown, Option } from '@vscode/webview-ui-toolkit';
import { toolkitElement } from './toolkit.ts';

export interface DropdownOptions {
  /** For assistive technology. */
  name: string;
  choices: readonly { value: string; text: string }[];
  change: (value: string) => void;
}

/** One of a few choices. Another value is shown unchanged. */
export function dropdown({ name, choices, change }: DropdownOptions): { node: Dropdown; set(value: string): void } {
  const node = toolkitElement('dropdown', Dropdown);
  node.setAttribute('aria-label', name);
  let shown = '';
  let stray: Option | null = null;
  const option = (value: string, text: string): Option => {
    const made = toolkitElement('option', Option);
    made.value = value;
    made.textContent = text;
    return made;
  };
  node.append(...choices.map(({ value, text }) => option(value, text)));
  const select = (): void => {
    // The toolkit takes a value only once its options are in the document.
    if (node.isConnected && node.value !== shown) node.value = shown;
  };
  node.addEventListener('change', () => {
    if (node.value === shown) return;
    shown = node.value;
    change(shown);
  });
  return {
    node,
    set(value) {
      shown = value;
      stray?.remove();
      stray = choices.some((choice) => choice.value === value) ? null : option(value, value);
      if (stray !== null) node.append(stray);
      select();
      queueMicrotask(select);
      requestAnimationFrame(select);
    },
  };
}
