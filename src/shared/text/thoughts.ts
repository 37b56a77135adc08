/** A model's reasoning before its answer, kept apart from the answer: in the answers of every endpoint, and in texts of files. */
export interface Thought {
  text: string;
  reasoning?: string;
}

/** Marks that models were taught to put around a thought. */
export const marks: readonly (readonly [begin: string, end: string])[] = [
  ['<think>', '</think>'],
  ['[THINK]', '[/THINK]'],
];

/** Tokens of a mark and the blanks behind it, at most. */
const markTokens = 16;

/** Whether a prompt ends within a thought that its chat template opened. */
export function opensThought(prompt: readonly number[], decode: (ids: readonly number[]) => string): boolean {
  const end = decode(prompt.slice(-markTokens)).trimEnd();
  return marks.some(([begin]) => end.endsWith(begin));
}

/**
 * A server that tells them apart has done so; otherwise the thought ends with its mark, and may begin in the prompt. A
 * thought that was cut before it ended is no answer.
 * @param opened whether it began in the prompt, where that is known
 */
export function apart(text: string, told: string | null | undefined, opened = false): Thought {
  if (told !== null && told !== undefined && told !== '') return { text, reasoning: told };
  for (const [begin, end] of marks) {
    const begun = text.trimStart().startsWith(begin);
    const at = text.indexOf(end);
    if (at === -1 && !begun) continue;
    const thought = at === -1 ? text : text.slice(0, at);
    const reasoning = (begun ? thought.trimStart().slice(begin.length) : thought).trim();
    const answer = at === -1 ? '' : text.slice(at + end.length).trimStart();
    return { text: answer, ...(reasoning !== '' && { reasoning }) };
  }
  if (!opened) return { text };
  const reasoning = text.trim();
  return { text: '', ...(reasoning !== '' && { reasoning }) };
}

/** The answer in a text as a model wrote it: of a file, a case, a record of an older version. */
export const withoutThoughts = (text: string): string => apart(text, null).text;
