/** Evaluate on Benchmark…: asks, shows the expected cost, runs with progress, opens the page. */
import * as vscode from 'vscode';
import { isPlayed } from '../../../benchmarks/scorerTable.ts';
import { evaluationTasks } from '../../../launch/inputs/evaluationTasks.ts';
import { readAdapterFile } from '../../../launch/adapters/readAdapterFile.ts';
import type { Evaluation } from '../node/evaluate.ts';
import type { EvaluationRequest } from '../../../shared/records/evaluation.ts';
import type { Task } from '../../../shared/records/task.ts';
import { readsOutside } from '../../../host/files/readsOutside.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import { parts } from '../../../host/trees/words.ts';
import type { Evaluations } from './evaluations.ts';

/** Rough number of letters in a token of English, for most models. */
const lettersPerToken = 4;

/** @returns false when a person decided against it. @throws InputError, DataError */
export async function confirmed(request: EvaluationRequest): Promise<boolean> {
  const { adapter: file, data, splits, sample, seed, attempts, maxTokens } = request;
  const { adapter } = await readAdapterFile(file, file);
  const location = vscode.ProgressLocation.Notification;
  const title = vscode.l10n.t('Reading the data of {0}', adapter.name);
  const tasks = await vscode.window.withProgress({ location, title, cancellable: true }, async (_, token) => {
    const ending = new AbortController();
    token.onCancellationRequested(() => ending.abort());
    try {
      return (
        await evaluationTasks(adapter, {
          ...{ folder: data, outside: readsOutside(vscode.Uri.file(file)), splits, sample, seed },
          signal: ending.signal,
        })
      ).tasks;
    } catch (error) {
      if (ending.signal.aborted) return null;
      throw error;
    }
  });
  if (tasks === null) return false;
  const { requests, tokens } = workWords(tasks, { attempts, maxTokens });
  const start = { label: `$(beaker) ${vscode.l10n.t('Evaluate')}`, description: requests, detail: tokens };
  const asked = vscode.l10n.t(
    'Evaluate on {0}? Answers are kept as they come: you can stop and continue later.',
    adapter.name,
  );
  return (await vscode.window.showQuickPick([start], { ignoreFocusOut: true, title: asked })) !== undefined;
}

/** The requests to the endpoint, in two sentences. */
function workWords(
  tasks: readonly Pick<Task, 'prompt' | 'tools' | 'evaluation'>[],
  { attempts, maxTokens }: Pick<EvaluationRequest, 'attempts' | 'maxTokens'>,
): { requests: string; tokens: string } {
  const requests = tasks.length * attempts;
  const letters = tasks.reduce(
    (sum, { prompt, tools }) =>
      sum +
      prompt.reduce((all, { content }) => all + content.length, 0) +
      (tools === undefined ? 0 : JSON.stringify(tools).length),
    0,
  );
  const played = tasks.some(isPlayed);
  const numbers = [tasks.length, attempts, requests].map(count);
  return {
    requests: played
      ? vscode.l10n.t('{0} tasks × {1} attempts: {2} episodes, each of several requests', ...numbers)
      : vscode.l10n.t('{0} tasks × {1} attempts: {2} requests', ...numbers),
    tokens: vscode.l10n.t(
      'About {0} tokens of prompts and at most {1} of answers{2}. Your endpoint’s provider sets the price of a token.',
      count(Math.round((letters * attempts) / lettersPerToken)),
      count(requests * maxTokens),
      played ? vscode.l10n.t(', a turn') : '',
    ),
  };
}

/**
 * Resolves when it has ended; null when it was stopped.
 * @throws SteerError, EvaluationError, DataError, InputError, RunError, and the endpoint's own errors
 */
export async function runEvaluation(
  evaluations: Evaluations,
  request: EvaluationRequest,
  begun: (folder: string) => void,
  into?: string,
): Promise<Evaluation | null> {
  requireTrust();
  const { adapter } = await readAdapterFile(request.adapter, request.adapter);
  const title = vscode.l10n.t('Evaluating on {0}', adapter.name);
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    const ending = new AbortController();
    token.onCancellationRequested(() => ending.abort(new Error('Stopped.')));
    let [own, told]: [string | null, number] = [null, 0];
    const telling = evaluations.onDidProgress(({ folder, progress: { done, total, successes = 0 } }) => {
      if (folder !== own) return;
      const message = parts(
        vscode.l10n.t('{0} of {1}', count(done), count(total)),
        vscode.l10n.t('{0} right', count(successes)),
      );
      progress.report({ message, increment: (100 * (done - told)) / Math.max(1, total) });
      told = done;
    });
    try {
      return await evaluations.evaluate(
        request,
        ending,
        (folder) => {
          own = folder;
          begun(folder);
        },
        into,
      );
    } finally {
      telling.dispose();
    }
  });
}
