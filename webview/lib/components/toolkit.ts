/**
 * The form controls of the editor's own look. This folder alone imports the toolkit, which is archived: it can be
 * replaced here. Not its badge: that sets a style attribute, which our policy refuses.
 */
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';

let registered = false;

/** An element of the toolkit; its classes are defined with the first one. */
export function toolkitElement<T extends HTMLElement>(name: string, type: abstract new () => T): T {
  if (!registered) {
    registered = true;
    provideVSCodeDesignSystem().register(
      vsCodeButton(),
      vsCodeCheckbox(),
      vsCodeDropdown(),
      vsCodeOption(),
      vsCodeTextField(),
    );
  }
  const node = document.createElement(`vscode-${name}`);
  if (!(node instanceof type)) throw new TypeError(`vscode-${name} is not what the toolkit says it is`);
  return node;
}
