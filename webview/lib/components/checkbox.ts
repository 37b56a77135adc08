import { Checkbox } from '@vscode/webview-ui-toolkit';
import { toolkitElement } from './toolkit.ts';

export interface CheckboxOptions {
  /** Beside the box; without it `name` is the label. */
  text?: string;
  name?: string;
  change: (checked: boolean) => void;
}

/** A box to tick. `set` does not call `change`. */
export function checkbox({ text, name, change }: CheckboxOptions): { node: Checkbox; set(checked: boolean): void } {
  const node = toolkitElement('checkbox', Checkbox);
  // The toolkit takes its name from its text whenever it enters the document.
  node.textContent = text ?? name ?? '';
  node.classList.toggle('bare', text === undefined);
  let shown = false;
  node.addEventListener('change', () => {
    if (node.checked === shown) return;
    shown = node.checked;
    change(shown);
  });
  return {
    node,
    set(checked) {
      shown = checked;
      node.checked = checked;
    },
  };
}
