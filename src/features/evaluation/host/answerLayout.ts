/** An attempt of an evaluation as a document. */
import * as vscode from 'vscode';
import { readEvaluation } from '../node/evaluationFolder.ts';
import { toolsOf } from '../../../launch/domains/toolsOf.ts';
import type { LaidOut } from '../../../host/documents/layout/page.ts';
import { computeReward } from '../../../runs/records/rewardComputation.ts';
import { layTrace } from '../../../host/documents/layout/traceLayout.ts';

const places: ReadonlySet<string> = new Set(['task', 'family', 'run']);

/** @throws EvaluationError, RunError; Error when there is no such attempt */
export async function layAnswer(folder: string, id: string): Promise<LaidOut> {
  const { manifest, answers, tasks } = await readEvaluation(folder);
  const trace = answers.find((one) => one.id === id);
  if (trace === undefined) throw new Error(vscode.l10n.t('This evaluation has no attempt “{0}”.', id));
  const task = tasks.find((one) => one.id === trace.task) ?? null;
  const group = answers.filter((one) => one.task === trace.task);
  const { benchmark, policy } = manifest.settings;
  const laidOut = layTrace({
    ...{ trace, task, tools: task === null ? [] : toolsOf(task) },
    ...{ computation: computeReward(trace, group, null), rescored: null, forks: [] },
    run: `${benchmark}: ${policy.version} (${policy.source})`,
  });
  // No run has it: there is nowhere to go from here.
  return { ...laidOut, marks: laidOut.marks.filter(({ means }) => !places.has(means.kind)) };
}
