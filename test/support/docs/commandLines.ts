/** Command lines that a page of Markdown shows: lines of its blocks of code, and code between backticks. */

/** One command as a shell would start it, without redirections. */
export interface ShownCommand {
  line: number;
  words: string[];
  /** Said between backticks, where arguments and values may be left out. */
  isMention: boolean;
}

/** @param programs those whose commands are wanted */
export function shownCommands(page: string, programs: readonly string[]): ShownCommand[] {
  const found: ShownCommand[] = [];
  const take = (line: number, text: string, isMention: boolean): void => {
    for (const words of simpleCommands(text)) {
      const first = words.findIndex((word) => !/^[A-Z][A-Z0-9_]*=/.test(word));
      if (programs.includes(words[first] ?? '')) found.push({ line, words: words.slice(first), isMention });
    }
  };
  let isCode = false;
  let begun: { line: number; text: string } | null = null;
  for (const [index, text] of page.split('\n').entries()) {
    const line = index + 1;
    if (/^\s*```/.test(text)) isCode = !isCode;
    else if (!isCode) for (const [, code = ''] of text.matchAll(/`([^`]+)`/g)) take(line, unescaped(code), true);
    else {
      const whole: string = (begun?.text ?? '') + text.replace(/\\$/, '');
      const from: number = begun?.line ?? line;
      begun = text.endsWith('\\') ? { line: from, text: whole } : null;
      if (begun === null) take(from, whole, false);
    }
  }
  return found;
}

/** A bar inside a table's cell stands between choices, and is no pipe. */
const unescaped = (code: string): string => code.replaceAll('\\|', '/');

/** Splits as a shell does at `|`, `;` and `&&`, with quotes, comments and redirections. Expands nothing. */
function simpleCommands(text: string): string[][] {
  const commands: string[][] = [[]];
  let isTarget = false;
  const tokens = text.matchAll(
    /(?<operator>[|;&]+)|(?<redirected>\d?[<>]+&?)|(?<comment>#.*$)|(?:'[^']*'|"[^"]*"|[^\s|;&<>'"])+/g,
  );
  for (const { 0: token, groups } of tokens) {
    if (groups?.['comment'] !== undefined) break;
    if (groups?.['operator'] !== undefined) commands.push([]);
    else if (groups?.['redirected'] !== undefined) {
      isTarget = true;
      continue;
    } else if (!isTarget) commands.at(-1)?.push(token.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
    isTarget = false;
  }
  return commands;
}
