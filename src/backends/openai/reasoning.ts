/** What a model thought before it answered, kept apart from the answer. */
export interface Thought {
  text: string;
  reasoning?: string;
}

const end = '</think>';

/** A server that tells them apart has done so; otherwise the thought ends with its mark, and may begin in the prompt. */
export function apart(text: string, told: string | null | undefined): Thought {
  if (told !== null && told !== undefined && told !== '') return { text, reasoning: told };
  const at = text.indexOf(end);
  if (at === -1) return { text };
  const reasoning = text
    .slice(0, at)
    .replace(/^\s*<think>/, '')
    .trim();
  return { text: text.slice(at + end.length).trimStart(), ...(reasoning === '' ? {} : { reasoning }) };
}
