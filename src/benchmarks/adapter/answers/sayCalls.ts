import { parseExactly } from '../../../shared/json.ts';
import { LongInteger } from '../../../shared/longInteger.ts';
import { callsOf, type ToolCall } from './calls.ts';
import type { CallFormat } from './toolCalls.ts';

const identifier = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;

/** A gold's calls in the format that answers have; null where it has no words for them. */
export function sayCalls(gold: string, format: CallFormat): string | null {
  if (format === 'json') return gold;
  const calls = callsOf(parseExactly(gold));
  if (calls === null) return null;
  switch (format) {
    case 'react':
      return calls.map((call) => `Action: ${call.name}\nAction Input: ${JSON.stringify(call.arguments)}`).join('\n');
    case 'python':
      return calls.every(isSayable) ? `[${calls.map(pythonCall).join(', ')}]` : null;
    case 'openai':
      return JSON.stringify({
        tool_calls: calls.map(({ name, arguments: given }, i) => ({
          ...{ id: `call_${i}`, type: 'function' },
          function: { name, arguments: JSON.stringify(given) },
        })),
      });
  }
}

const isSayable = (call: ToolCall): boolean =>
  [call.name, ...Object.keys(call.arguments).map((name) => name.replaceAll('.', '-'))].every((one) =>
    identifier.test(one),
  );

const pythonCall = (call: ToolCall): string =>
  `${call.name}(${Object.entries(call.arguments)
    .map(([name, value]) => `${name}=${pythonText(value)}`)
    .join(', ')})`;

function pythonText(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`;
  if (typeof value !== 'object' || value instanceof LongInteger) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${pythonText(inner)}`)
    .join(', ')}}`;
}
