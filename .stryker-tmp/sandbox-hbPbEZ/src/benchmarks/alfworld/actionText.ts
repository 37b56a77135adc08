/**
 * The command in what a model wrote. Thoughts in `<think>` are left out. What follows the last `Action:` on its line is
 * the command (`Action 3:` and other cases too); else the first line that begins with `>`; else the first line with
 * anything on it. Quotes and backticks around it and a full stop behind it are taken off. '' when there is nothing.
 */
export function commandOf(text: string): string {
  const lines = text
    .replace(/<think>[^]*?(?:<\/think>|$)/g, '')
    .split('\n')
    .map((line) => line.trim());
  const labelled = lines.findLast((line) => label.test(line))?.replace(label, '');
  const marked = lines.find((line) => line.startsWith('>'))?.replace(/^>+/, '');
  const command = labelled ?? marked ?? lines.find((line) => line !== '') ?? '';
  return bare(command);
}

const label = /^(?:\W*)action(?: \d+)?\W*:\W*?/i;

/** Its last full stop belongs to no command. */
function bare(command: string): string {
  return command
    .trim()
    .replace(/^["'`*\s]+|["'`*\s]+$/g, '')
    .replace(/\.$/, '')
    .trim();
}

/** A thought instead of a command, as in ReAct's prompts: it is answered `OK.`. */
export function isThought(command: string): boolean {
  return /^think:/i.test(command);
}
