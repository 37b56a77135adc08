/** Parts of a verdict that count something, where all others are shares of one. */
export const countedParts: ReadonlySet<string> = new Set(['searches']);
