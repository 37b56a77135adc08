/** The parameters of an evaluation, asked step by step; the command's arguments are not asked again. */
import * as vscode from 'vscode';
import type { Adapter } from '../../../shared/adapters/schema.ts';
import type { EvaluationRequest } from '../../../shared/records/evaluation.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import { askData } from './askData.ts';
import { askPolicy, type PolicyNeeds } from './askPolicy.ts';
import type { GivenPolicy } from './given.ts';

/** A slip of the keyboard must not become a bill. */
const mostAttempts = 1024;
/** Of one answer; an experiment's own bound is for its own tasks. Thoughts count, too. */
const usualTokens = 1024;
const mostTokens = 1_000_000;

/** @returns null when it was given up */
export async function askEvaluation(
  adapter: vscode.Uri,
  policy: GivenPolicy | null,
  needs: PolicyNeeds & { memory: vscode.Memento },
): Promise<EvaluationRequest | null> {
  const ready = await askData(adapter, needs.memory);
  if (ready === null) return null;
  const chosen = await askPolicy(policy, needs);
  if (chosen === null) return null;
  const splits = await askSplits(ready.adapter);
  if (splits === null) return null;
  const sample = await askSample(ready.adapter.name);
  if (sample === undefined) return null;
  const attempts = await askNumber(
    vscode.l10n.t('Attempts at each task: n, of which pass@1 and pass@n are estimated'),
    { from: 1, to: mostAttempts, usual: 1 },
  );
  if (attempts === null) return null;
  const seed = await askNumber(vscode.l10n.t('Seed of the draw and of the sampling'), {
    ...{ from: 0, to: 2 ** 31 - 1, usual: 1 },
  });
  if (seed === null) return null;
  const maxTokens = await askNumber(vscode.l10n.t('Longest answer in tokens, thoughts included'), {
    ...{ from: 1, to: mostTokens, usual: usualTokens },
  });
  if (maxTokens === null) return null;
  return {
    ...{ adapter: adapter.fsPath, data: ready.folder, splits, sample, seed, attempts, maxTokens, judge: null },
    // One answer is the likeliest one; several have to differ.
    temperature: attempts === 1 ? 0 : 0.7,
    policy: chosen,
  };
}

/** None: all of them. */
async function askSplits({ name, data }: Adapter): Promise<string[] | null> {
  const names = Object.keys(data.splits);
  if (names.length === 1) return [];
  const items = names.map((split) => {
    const { records } = data.splits[split] ?? {};
    return { label: split, description: records === undefined ? '' : vscode.l10n.t('{0} records', count(records)) };
  });
  const picked = await vscode.window.showQuickPick(items, {
    ignoreFocusOut: true,
    title: vscode.l10n.t('Which splits of {0}? None: all of them.', name),
    canPickMany: true,
  });
  return picked === undefined ? null : picked.map(({ label }) => label);
}

/** Null: all. Undefined: it was given up. */
async function askSample(name: string): Promise<number | null | undefined> {
  const title = vscode.l10n.t('How many tasks of {0} to draw? Empty: all of them.', name);
  const text = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    ...{ title, value: '100' },
    validateInput: (typed) => (typed.trim() === '' ? null : whyNot(typed, 1, 1_000_000)),
  });
  if (text === undefined) return undefined;
  return text.trim() === '' ? null : Number(text);
}

async function askNumber(
  title: string,
  { from, to, usual }: { from: number; to: number; usual: number },
): Promise<number | null> {
  const text = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    ...{ title, value: String(usual) },
    validateInput: (typed) => whyNot(typed, from, to),
  });
  return text === undefined ? null : Number(text);
}

const whyNot = (typed: string, from: number, to: number): string | null =>
  /^\d+$/.test(typed.trim()) && Number(typed) >= from && Number(typed) <= to
    ? null
    : vscode.l10n.t('A whole number from {0} to {1}', count(from), count(to));
