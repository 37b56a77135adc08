import * as l10n from '@vscode/l10n';
import type { AnswerSpec } from '../../../shared/adapters/answer.ts';
import { parseExactly } from '../../../shared/json.ts';
import { callsOf, type ToolCall } from './calls.ts';
import { openaiCalls } from './openaiCalls.ts';
import { pythonCalls } from './pythonCalls.ts';
import { reactCalls } from './reactCalls.ts';
import type { ParsedAnswer } from './parsedAnswer.ts';

/** How calls are written. */
export type CallFormat = NonNullable<Extract<AnswerSpec, { kind: 'tool-calls' }>['format']>;

/** The calls of a text in one of the usual formats. */
export function toolCalls(text: string, format: CallFormat = 'json'): ParsedAnswer {
  switch (format) {
    case 'json':
      return jsonCalls(text);
    case 'react':
      return reactCalls(text);
    case 'python':
      return pythonCalls(text);
    case 'openai':
      return openaiCalls(text);
  }
}

/** Calls in `<tool_call>` tags, one or more JSON values in each, one a line; without tags the whole text as JSON. */
function jsonCalls(text: string): ParsedAnswer {
  const tagged = [...text.matchAll(/<tool_call>([\s\S]*?)(?:<\/tool_call>|$)/g)].map(([, inner = '']) => inner.trim());
  const pieces = tagged.length === 0 ? [text] : tagged;
  const calls = pieces.flatMap((piece) => callsIn(piece) ?? [null]);
  if (calls.every((call) => call !== null)) return { ok: true, value: calls };
  return {
    ok: false,
    note: tagged.length === 0 ? l10n.t('the answer is no tool call') : l10n.t('a <tool_call> holds no call'),
  };
}

function callsIn(text: string): ToolCall[] | null {
  const whole = parseExactly(text);
  if (whole !== undefined) return callsOf(whole);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const calls = lines.map((line) => callsOf(parseExactly(line)));
  return lines.length > 0 && calls.every((call) => call !== null) ? calls.flat() : null;
}
