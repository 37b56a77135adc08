/** A trace as a document. */
import * as vscode from 'vscode';
import type { Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { count, rate } from '../trees/figures.ts';
import { parts } from '../trees/words.ts';
import { columns, layOut, setIn } from './layout.ts';
import { conversation } from './messages.ts';
import { endWord, judgedWord, tokensOf } from './verdictWords.ts';

/** @param task null when it is recorded nowhere */
export function traceText(trace: Trace, task: Task | null): string {
  const { verdict, purpose } = trace;
  const rewards = Object.entries(verdict.parts ?? {}).map(([name, value]) => `${name} ${rate(value)}`);
  const purposes: Record<Trace['purpose'], string> = {
    train: vscode.l10n.t('training'),
    validation: vscode.l10n.t('validation'),
    rank: vscode.l10n.t('ranking of seed tasks'),
  };
  const facts = columns([
    [vscode.l10n.t('verdict'), judgedWord(verdict)],
    [vscode.l10n.t('checker'), verdict.error],
    [vscode.l10n.t('note'), verdict.note],
    [
      vscode.l10n.t('reward'),
      parts(
        rate(verdict.reward),
        rewards.join(' · '),
        verdict.valid ? null : vscode.l10n.t('not valid, kept out of the agent pool'),
      ),
    ],
    [
      vscode.l10n.t('sampled by'),
      vscode.l10n.t('{0} in epoch {1}, for {2}', trace.version, count(trace.epoch), purposes[purpose]),
    ],
    [vscode.l10n.t('length'), parts(vscode.l10n.t('{0} tokens', count(tokensOf(trace))), endWord(trace.stopReason))],
    [vscode.l10n.t('task'), parts(trace.task, task?.plan ?? null)],
  ]);
  return layOut(vscode.l10n.t('Trace {0}', trace.id), facts, [
    {
      title: vscode.l10n.t('Prompt'),
      lines: task === null ? [vscode.l10n.t('The task is not recorded in this run.')] : conversation(task.prompt),
    },
    { title: vscode.l10n.t('Attempt'), lines: conversation(trace.messages) },
    { title: vscode.l10n.t('Gold'), lines: task?.gold == null ? [] : setIn(task.gold) },
  ]);
}
