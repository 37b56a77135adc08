/** Controls that are built again while a person types into one of them. */
import { TextField } from '@vscode/webview-ui-toolkit';

/**
 * Replaces what a node holds. The control with the focus leaves it, and its unfinished text, to the one in its place.
 * @param fill replaces the content @param successor of the control that has the focus
 * @returns to be called when the new controls show their values
 */
export function rebuilt(
  node: HTMLElement,
  fill: () => void,
  successor: (before: HTMLElement) => HTMLElement | null,
): () => void {
  const before = document.activeElement;
  if (!(before instanceof HTMLElement && node.contains(before))) {
    fill();
    return () => undefined;
  }
  // A control would commit unfinished text as it goes.
  const hold = (event: FocusEvent): void => event.stopPropagation();
  node.addEventListener('focusout', hold, { capture: true });
  fill();
  node.removeEventListener('focusout', hold, { capture: true });
  const after = successor(before);
  // After the values: a field that has the focus keeps its text.
  return isText(before) && isText(after) ? carried(before, after) : () => after?.focus();
}

type Text = TextField | HTMLTextAreaElement;

const isText = (one: HTMLElement | null): one is Text => one instanceof TextField || one instanceof HTMLTextAreaElement;

/** `data-said` is the value that a control has shown last. */
function carried(before: Text, after: Text): () => void {
  const [typed, said] = [before.value, before.dataset['said']];
  // Where the value has changed since it was shown, the text is about another one.
  const isUnfinished = (): boolean => typed !== said && (after.dataset['said'] ?? said) === said;
  if (isUnfinished()) after.value = typed;
  after.focus();
  return () => {
    if (after.dataset['said'] === undefined || !isUnfinished()) return;
    after.value = typed;
    after.dispatchEvent(new Event('input'));
  };
}
