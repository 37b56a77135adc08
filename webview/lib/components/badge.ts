import { Badge } from '@vscode/webview-ui-toolkit';
import { toolkitElement } from './toolkit.ts';

/** A short word or count that stands out. */
export function badge(text: string): Badge {
  const node = toolkitElement('badge', Badge);
  node.textContent = text;
  return node;
}
