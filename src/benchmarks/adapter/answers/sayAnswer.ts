import type { AnswerSpec } from '../../../shared/adapters/answer.ts';

/** An answer in the form that its rule reads; null where a pattern does not tell what it matches. */
export function sayAnswer(answer: string, spec: AnswerSpec): string | null {
  switch (spec.kind) {
    case 'between':
      return `${spec.open}${answer}${spec.close}`;
    case 'boxed':
      return `\\boxed{${answer}}`;
    case 'regex':
      return null;
    case 'text':
    case 'last-line':
    case 'json':
    case 'tool-calls':
      return answer;
  }
}
