import type { AnswerSpec } from '../../../shared/adapters/answer.ts';
import { sayCalls } from './sayCalls.ts';

/** An answer in the form that its rule reads; null where a pattern does not tell what it matches. */
export function sayAnswer(answer: string, spec: AnswerSpec): string | null {
  switch (spec.kind) {
    case 'between':
      return `${spec.open}${answer}${spec.close}`;
    case 'toolrl-response':
      return `<response> ${answer} </response>`;
    case 'boxed':
      return `\\boxed{${answer}}`;
    case 'final-number':
      return `Answer: ${answer}`;
    case 'regex':
      return null;
    case 'text':
    case 'last-line':
    case 'json':
      return answer;
    case 'tool-calls':
      return sayCalls(answer, spec.format ?? 'json');
  }
}
