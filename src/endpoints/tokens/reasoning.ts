/** A model's reasoning before its answer, kept apart from the answer. */
export interface Thought {
  text: string;
  reasoning?: string;
}

/** Marks that models were taught to put around a thought. */
export const marks: readonly (readonly [begin: string, end: string])[] = [
  ['<think>', '</think>'],
  ['[THINK]', '[/THINK]'],
];

/**
 * A server that tells them apart has done so; otherwise the thought ends with its mark, and may begin in the prompt. A
 * thought that was cut before it ended is no answer.
 */
export function apart(text: string, told: string | null | undefined): Thought {
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
  return { text };
}
