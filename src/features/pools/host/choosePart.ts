/** Asks for the part of a pool to export. */
import * as vscode from 'vscode';
import type { ExportChoice } from '../../../runs/export/formats.ts';
import { itemKinds, type ItemKind, type PoolPart } from '../../../runs/export/poolPart.ts';
import { largest } from '../../../shared/extremes.ts';
import { defined } from '../../../shared/defined.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import type { OpenRun } from '../../../host/trees/openRun.ts';
import { parseEpochs } from '../../../shared/text/epochRange.ts';

/** @returns undefined when it was given up */
export async function choosePart({ pool, format }: ExportChoice, run: OpenRun): Promise<PoolPart | undefined> {
  // The other forms have their own rule of which of them become rows.
  const kinds = pool === 'agent' && format === 'jsonl' ? await chooseKinds() : null;
  if (kinds === undefined) return undefined;
  const epochs = await chooseEpochs(run);
  if (epochs === undefined) return undefined;
  return { ...defined({ kinds: kinds ?? undefined, epochs: epochs ?? undefined }) };
}

interface Item extends vscode.QuickPickItem {
  item: ItemKind;
}

async function chooseKinds(): Promise<ItemKind[] | undefined> {
  const words: Record<ItemKind, string> = {
    base: vscode.l10n.t('Base tasks'),
    solved: vscode.l10n.t('Traces that solved their task'),
    unsolved: vscode.l10n.t('Traces that did not'),
  };
  const items: Item[] = itemKinds.map((kind) => ({ label: words[kind], picked: true, item: kind }));
  const title = vscode.l10n.t('What of D_train to export?');
  const picked = await vscode.window.showQuickPick<Item>(items, { ignoreFocusOut: true, title, canPickMany: true });
  return picked === undefined || picked.length === 0 ? undefined : picked.map(({ item }) => item);
}

/** @returns null for all epochs */
async function chooseEpochs({ facts }: OpenRun): Promise<readonly [number, number] | null | undefined> {
  const last = Math.max(0, largest(facts.epochs.keys()));
  if (last <= 1) return null;
  const text = await vscode.window.showInputBox({
    ignoreFocusOut: true,
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
