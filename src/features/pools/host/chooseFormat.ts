/** Asks for the export format of a pool, with the use of each. */
import * as vscode from 'vscode';
import type { ExportChoice, ExportedPool } from '../../../runs/export/formats.ts';

interface Item extends vscode.QuickPickItem {
  choice: ExportChoice;
}

/** @returns undefined when it was given up */
export async function chooseFormat(pool: ExportedPool): Promise<ExportChoice | undefined> {
  const picked = await vscode.window.showQuickPick<Item>(pool === 'agent' ? agentItems() : environmentItems(), {
    ignoreFocusOut: true,
    title: vscode.l10n.t('In which form?'),
    matchOnDetail: true,
  });
  return picked?.choice;
}

const tables = (): string => vscode.l10n.t('parquet or JSON lines');
const linesOnly = (): string => vscode.l10n.t('JSON lines');

const agentItems = (): Item[] => [
  {
    label: vscode.l10n.t('Lines of GenEnv'),
    description: linesOnly(),
    detail: vscode.l10n.t('Base tasks and valid traces with everything that is known of them.'),
    choice: { pool: 'agent', format: 'jsonl', rows: 'tasks' },
  },
  {
    label: vscode.l10n.t('verl: tasks for RL'),
    description: tables(),
    detail: vscode.l10n.t('A row a task: prompt, and what a reward file needs to judge an answer.'),
    choice: { pool: 'agent', format: 'verl', rows: 'tasks' },
  },
  {
    label: vscode.l10n.t('TRL: tasks for GRPO'),
    description: tables(),
    detail: vscode.l10n.t('A row a task: “prompt” as messages, “ground_truth” and the rest for the reward function.'),
    choice: { pool: 'agent', format: 'messages', rows: 'tasks' },
  },
  {
    label: vscode.l10n.t('Messages: solved attempts for supervised training'),
    description: tables(),
    detail: vscode.l10n.t('A conversation an attempt that solved its task, for SFT with TRL and others.'),
    choice: { pool: 'agent', format: 'messages', rows: 'attempts' },
  },
  {
    label: vscode.l10n.t('Tinker: datums with advantages'),
    description: linesOnly(),
    detail: vscode.l10n.t(
      'Recorded token ids, logprobs and group-relative advantages, as forward_backward takes them.',
    ),
    choice: { pool: 'agent', format: 'tinker', rows: 'tasks' },
  },
];

const environmentItems = (): Item[] => [
  {
    label: vscode.l10n.t('Lines of GenEnv'),
    description: linesOnly(),
    detail: vscode.l10n.t('Context, text, token ids, R_env, weights and success rates of each task.'),
    choice: { pool: 'environment', format: 'jsonl', weights: 'resample' },
  },
  {
    label: vscode.l10n.t('verl: conversations, resampled'),
    description: tables(),
    detail: vscode.l10n.t('For verl’s supervised trainer, which knows no weights: rows repeat in proportion to them.'),
    choice: { pool: 'environment', format: 'verl', weights: 'resample' },
  },
  {
    label: vscode.l10n.t('Messages: conversations, resampled'),
    description: tables(),
    detail: vscode.l10n.t('For SFT with TRL and others: rows repeat in proportion to their weights.'),
    choice: { pool: 'environment', format: 'messages', weights: 'resample' },
  },
  {
    label: vscode.l10n.t('Messages: conversations with a column of weights'),
    description: tables(),
    detail: vscode.l10n.t('Each row once; only for a trainer of your own that reads the column “weight”.'),
    choice: { pool: 'environment', format: 'messages', weights: 'column' },
  },
  {
    label: vscode.l10n.t('Tinker: weighted datums'),
    description: linesOnly(),
    detail: vscode.l10n.t('Recorded token ids with a weight each, for cross_entropy.'),
    choice: { pool: 'environment', format: 'tinker', weights: 'resample' },
  },
];
