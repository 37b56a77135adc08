import { Divider } from '@vscode/webview-ui-toolkit';
import { toolkitElement } from './toolkit.ts';

/** A line between groups, silent to assistive technology. */
export function divider(): Divider {
  const node = toolkitElement('divider', Divider);
  node.role = 'presentation';
  return node;
}
