/** Reads the agent's answer from its last turn by a named rule. */
import * as l10n from '@vscode/l10n';
import { matchesOf } from '../../../sandbox/expressions.ts';
import { SandboxError } from '../../../sandbox/sandboxError.ts';
import type { AnswerSpec } from '../../../shared/adapters/answer.ts';
import type { Message } from '../../../shared/records/message.ts';
import { readReply } from '../../bamboogle/searchRound.ts';
import { boxed } from './boxed.ts';
import { finalNumber } from './finalNumber.ts';
import { jsonAnswer } from './jsonAnswer.ts';
import { toolCalls } from './toolCalls.ts';
import type { ParsedAnswer } from './parsedAnswer.ts';

const found = (value: string): ParsedAnswer => ({ ok: true, value });
const none = (note: string): ParsedAnswer => ({ ok: false, note });

/** The answer of a text. */
export function parseAnswer(text: string, spec: AnswerSpec): ParsedAnswer {
  switch (spec.kind) {
    case 'text':
      return found(text);
    case 'last-line':
      return lastLine(text);
    case 'between':
      return between(text, spec);
    case 'regex':
      return matched(text, spec);
    case 'toolrl-response':
      return response(text);
    case 'boxed':
      return boxed(text);
    case 'final-number':
      return finalNumber(text);
    case 'json':
      return jsonAnswer(text);
    case 'tool-calls':
      return toolCalls(text, spec.format);
  }
}

function lastLine(text: string): ParsedAnswer {
  const line = text.split(/\r?\n/).findLast((one) => one.trim() !== '');
  return line === undefined ? none(l10n.t('the answer is empty')) : found(line.trim());
}

function between(text: string, { open, close }: Extract<AnswerSpec, { kind: 'between' }>): ParsedAnswer {
  const start = text.lastIndexOf(open);
  if (start < 0) return none(l10n.t('the answer has no {0}', open));
  const end = text.indexOf(close, start + open.length);
  if (end < 0) return none(l10n.t('nothing closes {0}: {1} is missing', open, close));
  return found(text.slice(start + open.length, end).trim());
}

function response(text: string): ParsedAnswer {
  const reply = readReply(text);
  if (reply.kind !== 'answer') return none(l10n.t('there is a tool call and no answer'));
  return reply.text === '' ? none(l10n.t('the answer is empty')) : found(reply.text);
}

function matched(text: string, { pattern, group, which }: Extract<AnswerSpec, { kind: 'regex' }>): ParsedAnswer {
  try {
    const matches = matchesOf([{ source: pattern, flags: 'gm' }], [text])[0]?.[0] ?? [];
    const value = (which === 'first' ? matches[0] : matches.at(-1))?.[group];
    return value === undefined ? none(l10n.t('nothing in the answer matches {0}', pattern)) : found(value);
  } catch (error) {
    if (!SandboxError.is(error)) throw error;
    return none(l10n.t('answer.pattern {0} cannot be used: {1}', pattern, error.message));
  }
}

/** The text that an answer is read out of: what the agent said last. */
export const lastTurn = (messages: readonly Message[]): string =>
  messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
