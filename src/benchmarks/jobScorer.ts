/** Judges a trainer's jobs: the rules that exist in Python too, selected by a task's evaluation. */
import type { Scorer } from '../engine/ports.ts';
import { pythonNumber, readInPython } from './rules/pythonNumber.ts';
import { pythonScorer } from './storekeeper/pythonScorer.ts';

/** Whether a job judges such a task as this program does. */
export const isJudgedInJobs = ({ evaluation }: Pick<Parameters<Scorer['score']>[0], 'evaluation'>): boolean =>
  evaluation.kind === 'number' && readInPython(evaluation);

/** Source with `judge(text, gold, evaluation, finished, asked)`. @param reward as of `StorekeeperScorer` */
export const jobScorer = (reward: 'success' | 'calls' = 'success'): string => `${pythonScorer(reward)}

judge_calls = judge

${pythonNumber()}

def judge(text, gold, evaluation, finished, asked=None):
    if evaluation.get("kind") == "number":
        return judge_number(text, gold, evaluation, finished)
    return judge_calls(text, gold, evaluation, finished, asked)
`;
