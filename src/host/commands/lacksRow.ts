/** Whether a command was called without its row: from a tree, VS Code passes two arguments, the row and the selected ones; from the palette and by keys none. */
export const lacksRow = (given: readonly unknown[]): boolean =>
  given.length >= 2 && (given[0] === undefined || given[0] === null);
