/** A task as a document. */
import * as vscode from 'vscode';
import { pooled } from '../../engine/math/successRate.ts';
import type { FamilyScore } from '../../shared/journal/events.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { count, figures, measured, percent, rate } from '../trees/figures.ts';
import { groupOf, type Band } from '../trees/runs/familyGroups.ts';
import { groupWord, parts } from '../trees/words.ts';
import { columns, layOut, setIn, type Section } from './layout.ts';
import { answerOf, conversation } from './messages.ts';
import { judgedWord, tokensOf } from './verdictWords.ts';

export interface TaskDocument {
  task: Task;
  /** The epoch that is shown. */
  epoch: number;
  /** The family it was scored in, and the band of that epoch; null when it was not. */
  scored: { family: FamilyScore; band: Band } | null;
  /** Those of the epoch. */
  attempts: readonly Trace[];
  /** Every epoch in which it was attempted. */
  others: readonly number[];
}

export function taskText(document: TaskDocument): string {
  const { task, epoch } = document;
  const { plan, complexity, evaluation } = task;
  const numbers = Object.entries(complexity).map(([name, value]) => `${name} ${figures(value)}`);
  const sections: Section[] = [
    { title: vscode.l10n.t('Success rate in epoch {0}', count(epoch)), lines: rates(document) },
    { title: vscode.l10n.t('Prompt'), lines: conversation(task.prompt) },
    { title: vscode.l10n.t('Tools'), lines: tools(task) },
    { title: vscode.l10n.t('Gold'), lines: task.gold === null ? [] : setIn(task.gold) },
    { title: vscode.l10n.t('Attempts in epoch {0}', count(epoch)), lines: attemptLines(document) },
    { title: vscode.l10n.t('Evaluation'), lines: setIn(JSON.stringify(evaluation, null, 2)) },
    {
      title: vscode.l10n.t('How the environment policy was asked'),
      lines: conversation(task.generation?.context ?? []),
    },
    { title: vscode.l10n.t('What it wrote'), lines: task.generation === undefined ? [] : setIn(task.generation.text) },
  ];
  const facts = columns([
    [vscode.l10n.t('origin'), originOf(task)],
    [vscode.l10n.t('status'), statusOf(task)],
    [vscode.l10n.t('family'), task.family],
    [vscode.l10n.t('seed task'), task.seed],
    [vscode.l10n.t('plan'), plan],
    [vscode.l10n.t('complexity'), numbers.join(' · ')],
  ]);
  return layOut(vscode.l10n.t('Task {0}', task.id), facts, sections);
}

function originOf({ origin, epoch, generation }: Task): string {
  switch (origin) {
    case 'generated':
      return generation === undefined
        ? vscode.l10n.t('generated in epoch {0}', count(epoch))
        : vscode.l10n.t('generated in epoch {0} by {1}', count(epoch), generation.version);
    case 'base':
      return vscode.l10n.t('base task');
    case 'offline':
      return vscode.l10n.t('made elsewhere');
    case 'validation':
      return vscode.l10n.t('held out for validation');
  }
}

function statusOf({ origin, status, cause, note }: Task): string {
  if (status === 'rejected') return parts(vscode.l10n.t('rejected: {0}', cause ?? '–'), note ?? null);
  return origin === 'generated' ? vscode.l10n.t('accepted') : '';
}

function rates({ task, epoch, scored, attempts }: TaskDocument): string[] {
  const judged = attempts.filter(({ verdict }) => verdict.error === undefined);
  const own = pooled(judged.map(({ verdict }) => ({ successes: verdict.success ? 1 : 0, attempts: 1 })));
  const solved = ({ successes, attempts: tried }: { successes: number; attempts: number }): string =>
    vscode.l10n.t('{0}/{1} solved', count(successes), count(tried));
  if (scored === null) {
    if (attempts.length === 0) return [];
    return columns([[vscode.l10n.t('task'), parts(measured(own), solved(own))]]);
  }
  const { family, band } = scored;
  const share = family.tasks.find(({ id }) => id === task.id);
  return columns([
    [vscode.l10n.t('task'), parts(measured(own), solved(own))],
    [
      vscode.l10n.t('family'),
      parts(
        measured(family.successRate),
        solved(family.successRate),
        groupWord(groupOf(family.successRate.p, band)).toLowerCase(),
      ),
    ],
    [
      vscode.l10n.t('weight'),
      family.kept > 0 && share !== undefined
        ? vscode.l10n.t('{0} of what the environment learned from in epoch {1}', percent(share.weight), count(epoch))
        : vscode.l10n.t('none: left out by the difficulty filter'),
    ],
    ['R_env', share === undefined ? null : rate(share.environmentReward)],
  ]);
}

const tools = ({ tools: specs }: Task): string[] =>
  (specs ?? []).flatMap(({ name, description, parameters }) => [
    name,
    ...setIn(description),
    ...setIn(JSON.stringify(parameters)),
  ]);

function attemptLines({ epoch, attempts, others }: TaskDocument): string[] {
  const rows = attempts.map((trace) => ({
    // Epoch and task stand in the title.
    id: trace.id.split('/').at(-1) ?? trace.id,
    judged: judgedWord(trace.verdict),
    reward: rate(trace.verdict.reward),
    tokens: vscode.l10n.t('{0} tokens', count(tokensOf(trace))),
    answer: answerOf(trace.messages),
  }));
  const widest = (of: (row: (typeof rows)[number]) => string): number =>
    Math.max(0, ...rows.map((row) => of(row).length));
  const widths = {
    id: widest(({ id }) => id),
    judged: widest(({ judged }) => judged),
    tokens: widest(({ tokens }) => tokens),
  };
  const elsewhere = others.filter((other) => other !== epoch);
  const also =
    elsewhere.length === 0 ? [] : ['', vscode.l10n.t('Also attempted in epoch {0}.', elsewhere.map(count).join(', '))];
  const lines = rows.map(
    ({ id, judged, reward, tokens, answer }) =>
      `${id.padEnd(widths.id)}   ${judged.padEnd(widths.judged)}   ${reward}   ${tokens.padStart(widths.tokens)}   ${answer}`,
  );
  return [...lines, ...also];
}
