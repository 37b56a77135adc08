/**
 * The chat template of the embedded models, the same for sampling, training and pretraining: the words of all messages one
 * after another, roles unmarked (a domain marks what it needs with words). An assistant turn ends with the end word. One
 * that carries token ids is appended by those ids, as it was sampled.
 */
import { append } from '../../shared/append.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Rendered {
  tokens: number[];
  /** [start, end) of each assistant turn, its end token included. */
  spans: [number, number][];
}

export function render(vocabulary: Vocabulary, messages: readonly Message[]): Rendered {
  const tokens: number[] = [];
  const spans: [number, number][] = [];
  for (const message of messages) {
    const start = tokens.length;
    if (message.role !== 'assistant') {
      append(tokens, vocabulary.encode(message.content));
      continue;
    }
    if (message.tokens) {
      vocabulary.check(message.tokens);
      append(tokens, message.tokens);
    } else {
      append(tokens, vocabulary.encode(message.content));
      if (tokens.length === start || tokens.at(-1) !== vocabulary.end) tokens.push(vocabulary.end);
    }
    spans.push([start, tokens.length]);
  }
  return { tokens, spans };
}
