/** How a chat template begins an assistant turn: where it asks for one, and where it tells of one. */
import type { Message } from '../../shared/records/message.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

/**
 * The ends of the text before a turn, behind what both have in common. Templates of models that always think open `<think>`
 * where they ask alone (DeepSeek-R1, QwQ, Qwen3-Thinking); others tell of each turn with an empty thought (GLM).
 */
export interface Opening {
  asked: string;
  given: string;
}

/** The role before the turn, and whether the conversation ends with it: templates look at both. */
export interface TurnPlace {
  before: 'user' | 'tool';
  isLast: boolean;
}

const question = { role: 'user', content: 'x' } satisfies Message;
const answer = { role: 'assistant', content: 'x' } satisfies Message;

/**
 * @param around the text around the assistant turns of a conversation; `open`: with the prompt of the next one
 * @throws what `around` throws
 */
export function openingOf(
  { before, isLast }: TurnPlace,
  around: (messages: readonly Message[], open: boolean) => readonly string[],
): Opening {
  const history: Message[] = before === 'user' ? [question] : [question, answer, { role: 'tool', content: 'x' }];
  const asked = around(history, true).at(-1) ?? outOfRange();
  const given = around([...history, answer, ...(isLast ? [] : [question])], false).at(-2) ?? outOfRange();
  let same = 0;
  while (same < asked.length && asked[same] === given[same]) same++;
  return { asked: asked.slice(same), given: given.slice(same) };
}
