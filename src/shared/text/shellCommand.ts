/** Words of others in a command line: never more than words. */

/** One word for a POSIX shell, for any text. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Means the same to every shell as it stands. */
const plain = /^[A-Za-z0-9_./:-][A-Za-z0-9_./:=+@-]*$/;
const plainOnWindows = /^[A-Za-z0-9_./:-][A-Za-z0-9_./:=+@\\-]*$/;

/** A command line for a person to copy: on Windows for PowerShell, elsewhere for a POSIX shell. */
export function shellCommand(words: readonly string[], windows: boolean): string {
  const line = words
    .map((word) => {
      if ((windows ? plainOnWindows : plain).test(word)) return word;
      return windows ? `'${word.replaceAll(/['‘’‚‛]/g, '$&$&')}'` : quoted(word);
    })
    .join(' ');
  return windows && line.startsWith("'") ? `& ${line}` : line;
}
