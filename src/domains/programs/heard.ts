/** Converts between a program's messages and the agent's, in both directions: calls of tools are text to the agent. */
import { isDeepStrictEqual } from 'node:util';
import { parseSaid } from '../../shared/json.ts';
import type { Message } from '../../shared/records/message.ts';
import { toolCallsOf, toolText, withoutToolCalls } from '../../shared/rewards/toolCalls.ts';
import { defined } from '../../shared/defined.ts';
import type { SaidCall, SaidMessage } from './chatBody.ts';
import type { Completion } from '../../engine/completion.ts';

/** A turn of the agent as clients of this protocol read it. */
export interface ToldTurn {
  content: string | null;
  reasoning_content?: string;
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
}

/** One attempt's memory of the calls sent to the program, so that a returned turn is recognised as the sampled one. */
export class Heard {
  /** By the id of its first call. */
  readonly #told = new Map<string, { text: string; turn: ToldTurn }>();
  #calls = 0;

  /** @param tools whether calls are sent as calls; else they stay text */
  tell({ text, reasoning }: Pick<Completion, 'text' | 'reasoning'>, tools: boolean): ToldTurn {
    const thought = reasoning === undefined ? {} : { reasoning_content: reasoning };
    const calls = tools ? toolCallsOf(text) : null;
    if (calls === null) return { content: text, ...thought };
    const tool_calls = calls.map(({ name, arguments: given }) => ({
      // Some templates insist on nine letters and digits.
      id: `call${String(++this.#calls).padStart(5, '0')}`,
      type: 'function' as const,
      function: { name, arguments: JSON.stringify(given) },
    }));
    const beside = withoutToolCalls(text);
    const turn = { content: beside === '' ? null : beside, ...thought, tool_calls };
    this.#told.set(tool_calls[0]?.id ?? '', { text, turn });
    return turn;
  }

  messages(said: readonly SaidMessage[]): Message[] {
    const names = new Map<string, string>();
    return said.map((message): Message => {
      const { content } = message;
      if (message.role === 'tool') {
        const name = names.get(message.tool_call_id);
        return { role: 'tool', content, ...defined({ name }) };
      }
      if (message.role !== 'assistant')
        return { role: message.role === 'developer' ? 'system' : message.role, content };
      const calls = message.tool_calls ?? [];
      for (const call of calls) names.set(call.id, call.function.name);
      return { role: 'assistant', content: calls.length === 0 ? content : this.#textOf(content, calls) };
    });
  }

  #textOf(content: string, calls: readonly SaidCall[]): string {
    const known = this.#told.get(calls[0]?.id ?? '');
    if (known !== undefined && isSame(known.turn, content, calls)) return known.text;
    const texts = calls.map((call) => toolText(call.function));
    return [content, ...texts].filter((text) => text !== '').join('\n');
  }
}

/** Clients write arguments anew, with other spaces. */
const isSame = (turn: ToldTurn, content: string, calls: readonly SaidCall[]): boolean =>
  (turn.content ?? '') === content &&
  isDeepStrictEqual(
    turn.tool_calls?.map((call) => [call.id, call.function.name, parseSaid(call.function.arguments)]),
    calls.map((call) => [call.id, call.function.name, parseSaid(call.function.arguments)]),
  );
