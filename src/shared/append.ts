/** Adds values at the end of a list. As arguments of `push` a hundred thousand of them would not fit on the stack. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}
