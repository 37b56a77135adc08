import * as z from 'zod';

/** One turn of a conversation, in the chat form every endpoint understands. */
export const messageSchema = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  /** Sampled ids of an assistant turn: appended as they are, never re-tokenised. */
  tokens: z.array(z.int().nonnegative()).readonly().optional(),
  /** An assistant turn's reasoning before its answer, where the server separates it; never part of a prompt. */
  reasoning: z.string().optional(),
  /** For `tool`: which call it answers. */
  name: z.string().optional(),
});
export type Message = z.infer<typeof messageSchema>;
