/** A control that is being typed into keeps its text: a text is rarely written as its value is. */

/** A control with a text. */
export interface Typed {
  node: HTMLElement;
  text(): string;
  /** Does not count as typed. */
  set(text: string): void;
}

export interface Meaning {
  /** A value as text. */
  text: (value: unknown) => string;
  /** The value that a text means; undefined where it means none. */
  read: (text: string) => unknown;
}

/**
 * @returns shows a value. With the focus in the control its text stays where it means that value, and where the value is
 *   the one that was shown last: what was typed since is unfinished, or refused. True when it put a text.
 */
export function whileTyping(control: Typed, { text, read }: Meaning): (value: unknown) => boolean {
  let last: string | undefined;
  return (value) => {
    const next = JSON.stringify([value]);
    const isNew = next !== last;
    last = next;
    if (document.activeElement === control.node && (!isNew || JSON.stringify([read(control.text())]) === next)) {
      return false;
    }
    control.set(text(value));
    return true;
  };
}
