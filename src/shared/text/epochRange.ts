/** `3-8`, `3–8`, `3..8`, `5`: first and last epoch; null for other texts. */
export function parseEpochs(text: string): readonly [number, number] | null {
  const match = /^\s*(\d{1,9})\s*(?:(?:[-–]|\.\.)\s*(\d{1,9}))?\s*$/.exec(text);
  if (match === null) return null;
  const from = Number(match[1]);
  const to = match[2] === undefined ? from : Number(match[2]);
  return from <= to ? [from, to] : null;
}
