/** Text of shell scripts. */

/** One word of a POSIX shell, for any text. */
export const word = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** A command over several lines: a new one begins with each `--option`. */
export const command = (words: readonly string[]): string =>
  words.map((one, index) => `${index === 0 ? '' : one.startsWith('--') ? ' \\\n  ' : ' '}${word(one)}`).join('');

export const header = (why: string): string => `#!/usr/bin/env bash
# ${why}
set -euo pipefail
cd "$(dirname "\${BASH_SOURCE[0]}")"
`;
