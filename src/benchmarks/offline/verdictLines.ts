import { idText } from './idText.ts';
import { CaseError, type OfflineScorer, type Verdict } from './offlineScorer.ts';

/** A line as it was read, or why it could not be. */
export type CaseLine = string | CaseError;

/** A line that got no verdict. */
export interface Unscored {
  /** 1-based. */
  line: number;
  /** Which field is wrong, as `a.0.b`; '' for the whole line. */
  field: string;
  /** A `CaseError`, or a fault of ours. */
  error: Error;
}

/**
 * One line of JSON for each line with a case, in their order, as many at a time as came: `{"id", …verdict}`, or
 * `{"id", "error"}` for what could not be scored, which `tell` hears of too. Blank lines are passed over.
 */
export async function* verdictLines(
  lines: AsyncIterable<Iterable<CaseLine>>,
  scorer: OfflineScorer,
  tell: (unscored: Unscored) => void,
): AsyncGenerator<string[]> {
  let number = 0;
  for await (const some of lines) {
    const verdicts: string[] = [];
    for (const line of some) {
      number += 1;
      if (typeof line === 'string' && line.trim() === '') continue;
      const id = typeof line === 'string' ? idText(line) : 'null';
      try {
        if (typeof line !== 'string') throw line;
        const verdict = scorer.score(line);
        verdicts.push(withId(id, verdict instanceof Promise ? await verdict : verdict));
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        const field = error instanceof CaseError ? error.field : '';
        tell({ line: number, field, error });
        verdicts.push(withId(id, { error: field === '' ? error.message : `${field}: ${error.message}` }));
      }
    }
    if (verdicts.length > 0) yield verdicts;
  }
}

function withId(id: string, verdict: Verdict): string {
  const text = typeof verdict === 'string' ? verdict : JSON.stringify(verdict);
  return text === '{}' ? `{"id":${id}}` : `{"id":${id},${text.slice(1)}`;
}
