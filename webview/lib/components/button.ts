import { Button } from '@vscode/webview-ui-toolkit';
import { toolkitElement } from './toolkit.ts';

export interface ButtonOptions {
  text: string;
  /** The primary one is the most common action: one a view. */
  appearance?: 'primary' | 'secondary';
  /** Accessible name instead of the text, where the text needs its surroundings. */
  name?: string;
  press: () => void;
}

/** A button with a word on it. */
export function button({ text, appearance = 'secondary', name, press }: ButtonOptions): Button {
  const node = toolkitElement('button', Button);
  node.appearance = appearance;
  node.textContent = text;
  if (name !== undefined) node.ariaLabel = name;
  node.addEventListener('click', press);
  return node;
}
