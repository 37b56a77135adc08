import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { OfflineScorer } from '../../../src/benchmarks/offline/offlineScorer.ts';
import { parseJson } from '../../../src/benchmarks/python/json.ts';
import { equal } from '../../../src/benchmarks/python/value.ts';

const recordSchema = z.object({ line: z.string(), verdict: z.string() });

/** An official program's verdicts on fuzzed cases: the case's line, and its verdict as JSON. */
const goldenRecords = (file: URL): z.infer<typeof recordSchema>[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => recordSchema.parse(JSON.parse(line)));

/** A verdict's JSON, in whichever form the scorer gives it. */
export async function verdictText(scorer: OfflineScorer, line: string): Promise<string> {
  const verdict = await scorer.score(line);
  return typeof verdict === 'string' ? verdict : JSON.stringify(verdict);
}

/** Cases that a scorer judges otherwise than the official program did, as sentences. */
export async function disagreements(file: URL, scorer: OfflineScorer): Promise<string[]> {
  const wrong: string[] = [];
  for (const { line, verdict } of goldenRecords(file)) {
    const text = await verdictText(scorer, line);
    // Numbers are compared by value, as Python would compare the verdicts.
    if (!equal(parseJson(text), parseJson(verdict))) wrong.push(`${line}\n  expected ${verdict}\n  got ${text}`);
  }
  return wrong;
}
