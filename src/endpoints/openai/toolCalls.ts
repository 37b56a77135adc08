/**
 * Calls of tools inside a turn's text, and as servers tell them. A turn's text has them as models write them that were
 * taught so (`<tool_call>{…}</tool_call>`): one form, whatever the server.
 */
import type {
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import * as z from 'zod';
import { parseSaid } from '../../shared/json.ts';
import { argumentsText } from '../../shared/rewards/toolCalls.ts';
import type { Message } from '../../shared/records/message.ts';

const callSchema = z.object({ name: z.string(), arguments: z.unknown() });
const block = /<tool_call>\s*(\{[\s\S]*?\})\s*<\/tool_call>/g;

interface Call {
  name: string;
  /** JSON, as the model wrote it. */
  arguments: string;
}

export interface Telling {
  /** Calls are sent as calls, because the request has tools; else they stay text. */
  native: boolean;
  /** A tool's answer may stand without the call it answers. */
  free: boolean;
}

/** A conversation as servers take it: without what only the loop knows of it. */
export function told(messages: readonly Message[], { native, free }: Telling): ChatCompletionMessageParam[] {
  /** Calls without an answer yet. */
  let open: { id: string; name: string }[] = [];
  let count = 0;
  // Some templates insist on nine letters and digits.
  const nextId = (): string => `call${String(++count).padStart(5, '0')}`;
  return messages.map(({ role, content, name }): ChatCompletionMessageParam => {
    if (role === 'tool') {
      const at = Math.max(
        open.findIndex((call) => call.name === name),
        0,
      );
      const [answered] = open.splice(at, 1);
      if (answered === undefined && !free) return { role: 'user', content };
      return { role, content, tool_call_id: answered?.id ?? nextId() };
    }
    if (role !== 'assistant') return { role, content };
    const calls = native ? callsIn(content) : [];
    if (calls.length === 0) return { role, content };
    open = calls.map((call) => ({ id: nextId(), name: call.name }));
    const text = content.replace(block, '').trim();
    const tool_calls = calls.map((call, i): ChatCompletionMessageFunctionToolCall => ({
      ...{ id: open[i]?.id ?? nextId(), type: 'function', function: call },
    }));
    return { role, content: text === '' ? null : text, tool_calls };
  });
}

/** None unless every block is a call: half of what was said must not get lost. */
function callsIn(text: string): Call[] {
  const blocks = [...text.matchAll(block)].map(([, json = '']) => json);
  const calls = blocks.flatMap((json) => {
    const call = callSchema.safeParse(parseSaid(json));
    if (!call.success) return [];
    const { name, arguments: given } = call.data;
    return [{ name, arguments: argumentsText(given) }];
  });
  return calls.length === blocks.length ? calls : [];
}
