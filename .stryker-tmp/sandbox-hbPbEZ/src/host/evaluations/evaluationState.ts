/** An evaluation's folder as its page shows it. */
import { outcomesOf } from '../../benchmarks/evaluate/outcome.ts';
import { paperFigures } from '../../benchmarks/evaluate/paperFigures.ts';
import { scoreTable, type ScoreRow } from '../../benchmarks/evaluate/scoreTable.ts';
import type { StoredEvaluation } from '../../launch/evaluate/evaluationFolder.ts';
import type { Trace } from '../../shared/records/trace.ts';
import type { EvaluationFailure, EvaluationScoreRow, EvaluationState } from '../../shared/views/evaluation.ts';

/** @param now whether it goes on in this window, and whether it could be carried on */
export function evaluationState(
  folder: string,
  { manifest, answers, damaged }: StoredEvaluation,
  now: Pick<EvaluationState, 'running' | 'canContinue'>,
): EvaluationState {
  const { benchmark, rule, policy, splits, sample, seed, tasks, attempts, temperature, maxTokens } = manifest.settings;
  const kept = distinct(answers);
  const scores = scoreTable(outcomesOf(kept), rule, [...new Set([1, attempts])]);
  const asked = tasks * attempts;
  return {
    ...{ folder, benchmark, policy, splits, sample, seed, tasks, attempts, temperature, maxTokens },
    ...{ begun: manifest.begun, answered: kept.length, asked, running: now.running },
    canContinue: now.canContinue && !now.running && kept.length < asked,
    rows: scores.rows.map(rowOf),
    all: rowOf(scores.all),
    totals: [...scores.totals],
    // Without a judged attempt there is no mean.
    parts: scores.all.attempts === 0 ? {} : { ...scores.parts },
    errors: scores.errors,
    paper: paperFigures(rule),
    failing: failuresIn(answers).length,
    damaged: damaged.map(({ message }) => message),
  };
}

const rowOf = ({ pass, ...row }: ScoreRow): EvaluationScoreRow => ({ ...row, pass: [...pass] });

/** Of attempts that stand there twice, the first counts. */
const distinct = (answers: readonly Trace[]): Trace[] => [
  ...new Map(answers.toReversed().map((trace) => [trace.id, trace])).values(),
];

/** Attempts that were not right, in the order in which they were answered. */
export function failuresIn(answers: readonly Trace[]): EvaluationFailure[] {
  const seen = new Set<string>();
  return answers.flatMap(({ id, task, family: category, verdict }): EvaluationFailure[] => {
    if (seen.has(id)) return [];
    seen.add(id);
    const { success, valid, error, note = '' } = verdict;
    if (error !== undefined) return [{ id, task, category, kind: 'not judged', note: error }];
    return success ? [] : [{ id, task, category, kind: valid ? 'wrong' : 'unreadable', note }];
  });
}
