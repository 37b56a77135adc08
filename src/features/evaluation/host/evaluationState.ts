/** An evaluation's folder as its page shows it. */
import { outcomesOf } from '../../../benchmarks/evaluate/outcome.ts';
import { paperFigures, protocolOf } from '../../../benchmarks/evaluate/paperFigures.ts';
import { scoreTable, type ScoreRow } from '../../../benchmarks/evaluate/scoreTable.ts';
import { unofficial } from '../../../benchmarks/evaluate/unofficial.ts';
import { cutOffIn } from '../node/cutOff.ts';
import { askedIn, extentOf, type StoredEvaluation } from '../node/evaluationFolder.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import type { EvaluationFailure, EvaluationScoreRow, EvaluationState } from '../contract.ts';
import { inWords } from '../../../shared/journal/recordedWords.ts';

/** @param now whether it runs in this window, and whether it could be resumed */
export function evaluationState(
  folder: string,
  stored: StoredEvaluation,
  now: Pick<EvaluationState, 'running' | 'canContinue'>,
): EvaluationState {
  const { manifest, answers, data, end, damaged } = stored;
  const { benchmark, rule, policy, splits, sample, seed, tasks, attempts, temperature, maxTokens } = manifest.settings;
  const extent = extentOf(stored);
  const { answered, asked, finished } = extent;
  const why = unofficial(manifest.settings, data, extent);
  const outcomes = outcomesOf(answers, askedIn(stored));
  const scores = scoreTable(outcomes, rule, [...new Set([1, attempts])], why);
  return {
    ...{ folder, benchmark, policy, splits, sample, seed, tasks, attempts, temperature, maxTokens },
    ...{ begun: manifest.begun, answered, asked, finished, running: now.running },
    canContinue: now.canContinue && !now.running && answered < asked,
    rows: scores.rows.map(rowOf),
    all: rowOf(scores.all),
    totals: [...scores.totals],
    unofficial: why,
    details: [...scores.details],
    parts: [...scores.parts],
    errors: scores.errors,
    unanswered:
      answered < asked ? (end?.unanswered?.causes ?? []).map((one) => ({ ...one, cause: inWords(one.cause) })) : [],
    paper: paperFigures(protocolOf(manifest.settings)),
    cutOff: cutOffIn(answers),
    failing: failuresIn(answers).length,
    damaged: damaged.map(({ message }) => message),
  };
}

const rowOf = ({ pass, ...row }: ScoreRow): EvaluationScoreRow => ({ ...row, pass: [...pass] });

/** Wrong attempts, in the order in which they were answered. */
export function failuresIn(answers: readonly Trace[]): EvaluationFailure[] {
  const seen = new Set<string>();
  return answers.flatMap(({ id, task, family: category, verdict }): EvaluationFailure[] => {
    if (seen.has(id)) return [];
    seen.add(id);
    const { success, valid, error, note = '' } = verdict;
    if (error !== undefined) return [{ id, task, category, kind: 'not judged', note: inWords(error) }];
    return success ? [] : [{ id, task, category, kind: valid ? 'wrong' : 'unreadable', note }];
  });
}
