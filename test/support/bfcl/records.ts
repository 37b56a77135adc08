import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectedCalls, functionDocuments } from '../../../src/benchmarks/bfcl/case.ts';
import { readCase, text } from '../../../src/benchmarks/offline/pythonCase.ts';
import type { ExpectedCall, FunctionDocument } from '../../../src/benchmarks/bfcl/checker.ts';
import type { Language } from '../../../src/benchmarks/bfcl/decoders/language.ts';

/** A question with its answer. */
export interface Question {
  id: string;
  category: string;
  language: Language;
  functions: FunctionDocument[];
  expected: ExpectedCall[];
}

export const categories = [
  'simple_python',
  'multiple',
  'parallel',
  'parallel_multiple',
  'live_simple',
  'live_multiple',
  'live_parallel',
  'live_parallel_multiple',
  'simple_java',
  'simple_javascript',
];

/** Lines of one of a folder's files; tests look at their first half alone. */
export function firstHalf(folder: string, file: string): string[] {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean);
  return lines.slice(0, Math.ceil(lines.length / 2));
}

/** The first half of a category. */
export function recordsOf(folder: string, category: string): Question[] {
  const answers = firstHalf(folder, `possible_answer/BFCL_v4_${category}.json`);
  return firstHalf(folder, `BFCL_v4_${category}.json`).map((line, at) => {
    const language = category.endsWith('java') ? 'java' : category.endsWith('javascript') ? 'javascript' : 'python';
    const question = readCase(line);
    const answer = readCase((answers[at] ?? '').replace('"ground_truth"', '"possible_answer"'));
    const functions = functionDocuments(question);
    return { id: text(question, 'id'), category, language, functions, expected: expectedCalls(answer) };
  });
}
