import type { Message } from '../shared/records/message.ts';
import type { Completion } from './ports.ts';

/** A completion as a turn of its conversation. Without ids its text speaks for it. */
export function turnOf({ text, tokens, reasoning }: Completion): Message {
  return {
    ...{ role: 'assistant', content: text },
    ...(tokens.length === 0 ? {} : { tokens: [...tokens] }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}
