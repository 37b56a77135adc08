/** Colour and weight. `plain` leaves text as it is: for files, pipes, NO_COLOR and dumb terminals. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  accent(text: string): string;
}

const same = (text: string): string => text;

export const plain: Style = { bold: same, dim: same, good: same, bad: same, warn: same, accent: same };

const sgr =
  (on: number, off: number) =>
  (text: string): string =>
    text === '' ? '' : `\u001B[${on}m${text}\u001B[${off}m`;

/** The terminal's own sixteen colours, so that its theme decides. */
export const coloured: Style = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  good: sgr(32, 39),
  bad: sgr(31, 39),
  warn: sgr(33, 39),
  accent: sgr(36, 39),
};

/** https://no-color.org: any value that is not empty switches colour off. */
export function styleFor(stream: { isTTY?: boolean }, env: Readonly<Record<string, string | undefined>>): Style {
  const off = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb' || stream.isTTY !== true;
  return off ? plain : coloured;
}
