/** The initial value of a kind of answer or scorer when a person chooses it. */
import type { AnswerKind, AnswerSpec } from './answer.ts';
import type { ScorerKind, ScorerSpec } from './scorer.ts';

/** Every kind of answer, in the order of a list. */
export const answerStarts: { readonly [K in AnswerKind]: Extract<AnswerSpec, { kind: K }> } = {
  text: { kind: 'text' },
  'last-line': { kind: 'last-line' },
  between: { kind: 'between', open: '<answer>', close: '</answer>' },
  regex: { kind: 'regex', pattern: 'Answer: *(.+)$', group: 1, which: 'last' },
  'toolrl-response': { kind: 'toolrl-response' },
  boxed: { kind: 'boxed' },
  'final-number': { kind: 'final-number' },
  json: { kind: 'json' },
  'tool-calls': { kind: 'tool-calls' },
};

/** Every kind of scorer. */
export const scorerStarts: { readonly [K in ScorerKind]: Extract<ScorerSpec, { kind: K }> } = {
  exact: { kind: 'exact', compare: 'trimmed' },
  contains: { kind: 'contains', compare: 'folded' },
  number: { kind: 'number', absolute: 0, relative: 0.0001 },
  'token-f1': { kind: 'token-f1', threshold: 0.8 },
  'rouge-l': { kind: 'rouge-l', threshold: 0.5 },
  json: { kind: 'json' },
  'json-schema': { kind: 'json-schema', schema: { type: 'object' } },
  'tool-calls': { kind: 'tool-calls', order: 'any' },
  bamboogle: { kind: 'bamboogle', counts: 'em' },
  'bamboogle-search': { kind: 'bamboogle-search', corpus: 'corpus.jsonl', counts: 'em' },
  toolrl: { kind: 'toolrl' },
  bfcl: { kind: 'bfcl' },
  'bfcl-relevance': { kind: 'bfcl-relevance' },
  alfworld: { kind: 'alfworld', admissible: false },
  'alfworld-steps': { kind: 'alfworld-steps' },
  'bfcl-multi-turn': { kind: 'bfcl-multi-turn' },
  'bfcl-long-context-turns': { kind: 'bfcl-long-context-turns' },
  'api-bank': { kind: 'api-bank' },
  travelplanner: { kind: 'travelplanner' },
};
