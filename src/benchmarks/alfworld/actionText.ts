/**
 * The command in what a model wrote. Thoughts are left out, also one that began in the prompt. The command stands behind
 * the last `Action:` (`Action 3:` and other cases too), on its line or the next; else in the first line that begins with
 * `>`; else in the first line of a code block; else in the first line with anything on it. Quotes, backticks and full
 * stops around it are taken off, its case is kept. '' when there is nothing.
 */
export function commandOf(text: string): string {
  const lines = withoutThoughts(text)
    .split('\n')
    .map((line) => line.trim());
  const block = lines.findIndex((line) => fence.test(line));
  const written = lines.filter(isWritten);
  const command =
    labelled(written) ??
    written.find((line) => line.startsWith('>')) ??
    (block === -1 ? undefined : lines.slice(block).find(isWritten)) ??
    written.find((line) => !label.test(line));
  return bare(command ?? '');
}

const label = /^(?:\W*)action(?: \d+)?\W*:\W*?/i;
/** A line that begins or ends a block of code. */
const fence = /^(?:```|~~~)\s*[\w-]*$/;

/** Not by the cut of endpoints' answers: a command may stand before a thought. */
const withoutThoughts = (text: string): string =>
  text.replace(/<think>[^]*?(?:<\/think>|$)/g, '').replace(/^[^]*<\/think>/, '');

const isWritten = (line: string): boolean => !fence.test(line) && bare(line) !== '';

function labelled(lines: readonly string[]): string | undefined {
  const commands = lines.flatMap((line, i) => {
    if (!label.test(line)) return [];
    const [here, next = ''] = [line.replace(label, ''), lines[i + 1]];
    return [bare(here) === '' && !label.test(next) ? next : here];
  });
  return commands.findLast((command) => bare(command) !== '');
}

/** No command begins or ends with any of these. */
const bare = (command: string): string => command.replace(/^[\s>"'`*“‘«]+|[\s"'`*”’».]+$/g, '');

/** A thought instead of a command, as in ReAct's prompts: it is answered `OK.`. */
export function isThought(command: string): boolean {
  return /^think:/i.test(command);
}
