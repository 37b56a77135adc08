/** Asks what of a pool to export. */
import * as vscode from 'vscode';
import { count } from '../trees/figures.ts';
import type { OpenRun } from '../trees/openRun.ts';
import { parseEpochs } from '../trees/epochRange.ts';
import { lineKinds, type LineKind, type PoolPart } from './poolPart.ts';

/** @returns undefined when it was given up */
export async function choosePart(pool: 'agent' | 'environment', run: OpenRun): Promise<PoolPart | undefined> {
  const kinds = pool === 'agent' ? await chooseKinds() : null;
  if (kinds === undefined) return undefined;
  const epochs = await chooseEpochs(run);
  if (epochs === undefined) return undefined;
  return { ...(kinds === null ? {} : { kinds }), ...(epochs === null ? {} : { epochs }) };
}

interface Item extends vscode.QuickPickItem {
  lines: LineKind;
}

async function chooseKinds(): Promise<LineKind[] | undefined> {
  const words: Record<LineKind, string> = {
    base: vscode.l10n.t('Base tasks'),
    solved: vscode.l10n.t('Traces that solved their task'),
    unsolved: vscode.l10n.t('Traces that did not'),
  };
  const items: Item[] = lineKinds.map((kind) => ({ label: words[kind], picked: true, lines: kind }));
  const title = vscode.l10n.t('What of D_train to export?');
  const picked = await vscode.window.showQuickPick<Item>(items, { title, canPickMany: true });
  return picked === undefined || picked.length === 0 ? undefined : picked.map(({ lines }) => lines);
}

/** @returns null for all epochs */
async function chooseEpochs({ facts }: OpenRun): Promise<readonly [number, number] | null | undefined> {
  const last = Math.max(0, ...facts.epochs.keys());
  if (last <= 1) return null;
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Of which epochs?'),
    prompt: vscode.l10n.t('A range such as 1–{0}; empty for all.', count(last)),
    validateInput: (value) =>
      value.trim() === '' || parseEpochs(value) !== null
        ? null
        : vscode.l10n.t('A range such as 1–{0}; empty for all.', count(last)),
  });
  if (text === undefined) return undefined;
  return text.trim() === '' ? null : parseEpochs(text);
}
