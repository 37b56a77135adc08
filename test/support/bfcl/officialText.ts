/** BFCL's official answers as a model would write them, with one thing changed where that is asked. */
import { expectedCalls, functionDocuments, language } from '../../../src/benchmarks/bfcl/case.ts';
import type { Call } from '../../../src/benchmarks/bfcl/call.ts';
import { Dict } from '../../../src/benchmarks/bfcl/python/value.ts';
import { quoted } from '../../../src/benchmarks/bfcl/goldText.ts';
import { readCase } from '../../../src/benchmarks/offline/pythonCase.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import { rightCalls, textOfCalls } from './rightCalls.ts';

/** Changes of the first call, or of the whole answer. */
export const mutations = {
  renamed: ([first, ...rest]: readonly Call[]) =>
    first === undefined ? [] : [{ ...first, name: `${first.name}_` }, ...rest],
  unknown: ([first, ...rest]: readonly Call[]) =>
    first === undefined ? [] : [{ ...first, parameters: withParameter(first.parameters) }, ...rest],
  bare: ([first, ...rest]: readonly Call[]) =>
    first === undefined ? [] : [{ ...first, parameters: new Dict() }, ...rest],
  doubled: (calls: readonly Call[]) => [...calls, ...calls.slice(0, 1)],
  none: () => [],
} as const;
export type Mutation = keyof typeof mutations;

const withParameter = (parameters: Dict): Dict => Dict.of([...parameters, ['no_such_parameter', '1']]);

/** Of a task of the rule `bfcl` or `bfcl-relevance`. */
export function officialText({ evaluation, gold }: Task, mutation: Mutation | null = null): string {
  if (evaluation.kind === 'bfcl-relevance') {
    const calls = String(evaluation['category']).includes('irrelevance') !== (mutation === null);
    return calls ? '[anything(x=1)]' : 'No function fits.';
  }
  const spec = JSON.stringify({ language: evaluation['language'], function: evaluation['function'] });
  const of = readCase(`{"possible_answer": ${gold ?? ''}, ${spec.slice(1)}`);
  const calls = rightCalls(expectedCalls(of), functionDocuments(of), language(of));
  return textOfCalls(quoted(mutation === null ? calls : mutations[mutation](calls), language(of)), language(of));
}
