/** Asks the user for the Runs tree's filter. */
import * as vscode from 'vscode';
import { parseEpochs } from '../../../shared/text/epochRange.ts';
import { groupWord, stateWord } from '../words.ts';
import { filterClauses } from './filterWords.ts';
import { bandSides, everything, filters, parseRange, runModes, runStates, type TreeFilter } from './treeFilter.ts';
import { defined } from '../../../shared/defined.ts';

export interface SavedFilter {
  name: string;
  filter: TreeFilter;
}

/** Null when there is nothing to clear or it was given up. */
type Asked = TreeFilter | undefined;

interface Choice extends vscode.QuickPickItem {
  /** The filter with the user's choice for this part; undefined when cancelled. */
  ask?: (now: TreeFilter) => Thenable<Asked>;
  saved?: SavedFilter;
}

const removing: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('trash'),
  tooltip: vscode.l10n.t('Remove Saved Filter'),
};

/** @returns undefined when it was given up */
export async function chooseFilter(
  now: TreeFilter,
  saved: readonly SavedFilter[],
  nameOf: (run: string) => string,
  remove: (saved: SavedFilter) => void,
): Promise<TreeFilter | undefined> {
  const picked = await pick(choices(now, saved, nameOf), remove);
  return picked?.ask === undefined ? picked?.saved?.filter : picked.ask(now);
}

function choices(now: TreeFilter, saved: readonly SavedFilter[], nameOf: (run: string) => string): Choice[] {
  const { runs, families } = now;
  const told = (filter: TreeFilter): string => filterClauses(filter, nameOf).join(' · ');
  const part = (label: string, own: TreeFilter, ask: Choice['ask']): Choice => ({
    label,
    description: told(own),
    ...defined({ ask }),
  });
  const heading = (label: string): Choice => ({ label, kind: vscode.QuickPickItemKind.Separator });
  return [
    ...(filters(now)
      ? [
          {
            label: `$(clear-all) ${vscode.l10n.t('Show everything')}`,
            ask: () => Promise.resolve(everything),
          } satisfies Choice,
        ]
      : []),
    ...(saved.length === 0 ? [] : [heading(vscode.l10n.t('Saved filters'))]),
    ...saved.map((one): Choice => ({
      label: one.name,
      description: told(one.filter),
      saved: one,
      buttons: [removing],
    })),
    heading(vscode.l10n.t('Families')),
    part(vscode.l10n.t('Band…'), { runs: {}, families: { band: families.band } }, askBand),
    part(vscode.l10n.t('Success rate p̂…'), { runs: {}, families: { successRate: families.successRate } }, askRate),
    part(vscode.l10n.t('Family id or plan…'), { runs: {}, families: { text: families.text } }, askFamilyText),
    part(vscode.l10n.t('Domain…'), { runs: {}, families: { domain: families.domain } }, askDomain),
    part(vscode.l10n.t('Epochs…'), { runs: {}, families: { epochs: families.epochs } }, askEpochs),
    part(vscode.l10n.t('With notes'), { runs: {}, families: { noted: families.noted } }, (filter) =>
      Promise.resolve({ ...filter, families: { ...filter.families, noted: filter.families.noted ? undefined : true } }),
    ),
    heading(vscode.l10n.t('Runs')),
    part(vscode.l10n.t('State…'), { runs: { states: runs.states }, families: {} }, askStates),
    part(vscode.l10n.t('Mode…'), { runs: { modes: runs.modes }, families: {} }, askModes),
    part(vscode.l10n.t('Name…'), { runs: { text: runs.text }, families: {} }, askName),
  ];
}

function pick(items: Choice[], remove: (saved: SavedFilter) => void): Promise<Choice | undefined> {
  const box = vscode.window.createQuickPick<Choice>();
  box.title = vscode.l10n.t('Filter Runs and Families');
  box.placeholder = vscode.l10n.t('What should the tree show?');
  box.matchOnDescription = true;
  box.ignoreFocusOut = true;
  box.items = items;
  return new Promise((resolve) => {
    box.onDidAccept(() => {
      resolve(box.selectedItems[0]);
      box.hide();
    });
    box.onDidTriggerItemButton(({ item }) => {
      if (item.saved !== undefined) remove(item.saved);
      box.items = box.items.filter((one) => one !== item);
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}

async function askBand(now: TreeFilter): Promise<Asked> {
  const items = bandSides.map((band) => ({ label: groupWord(band), picked: now.families.band === band, band }));
  const title = vscode.l10n.t('Families in which part of the band?');
  const picked = await vscode.window.showQuickPick([...items, { label: vscode.l10n.t('Any'), band: undefined }], {
    ignoreFocusOut: true,
    title,
  });
  return picked && { ...now, families: { ...now.families, band: picked.band } };
}

async function askRate(now: TreeFilter): Promise<Asked> {
  const given = now.families.successRate;
  const text = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    title: vscode.l10n.t('Success rate p̂ of families'),
    prompt: vscode.l10n.t('A range such as 0.4–0.6; empty for any.'),
    value: given === undefined ? '' : given.join('–'),
    validateInput: (value) =>
      value.trim() === '' || parseRange(value) !== null
        ? null
        : vscode.l10n.t('Two numbers from 0 to 1, such as 0.4–0.6.'),
  });
  if (text === undefined) return undefined;
  return { ...now, families: { ...now.families, successRate: parseRange(text) ?? undefined } };
}

async function askEpochs(now: TreeFilter): Promise<Asked> {
  const given = now.families.epochs;
  const prompt = vscode.l10n.t('One epoch or a range such as 3–8; empty for all.');
  const text = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    title: vscode.l10n.t('Epochs'),
    prompt,
    value: given === undefined ? '' : given.join('–'),
    validateInput: (value) => (value.trim() === '' || parseEpochs(value) !== null ? null : prompt),
  });
  if (text === undefined) return undefined;
  return { ...now, families: { ...now.families, epochs: parseEpochs(text) ?? undefined } };
}

async function askFamilyText(now: TreeFilter): Promise<Asked> {
  const text = await askText(vscode.l10n.t('Part of a family’s id or plan'), now.families.text);
  return text && { ...now, families: { ...now.families, ...text } };
}

async function askDomain(now: TreeFilter): Promise<Asked> {
  const given = await askText(vscode.l10n.t('Part of a domain’s name, in runs of several'), now.families.domain);
  return given && { ...now, families: { ...now.families, domain: given.text } };
}

async function askName(now: TreeFilter): Promise<Asked> {
  const text = await askText(vscode.l10n.t('Part of a run’s name or id'), now.runs.text);
  return text && { ...now, runs: { ...now.runs, ...text } };
}

async function askText(title: string, value = ''): Promise<{ text: string | undefined } | undefined> {
  const text = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    title,
    value,
    prompt: vscode.l10n.t('Empty for any.'),
  });
  return text === undefined ? undefined : { text: text.trim() === '' ? undefined : text.trim() };
}

async function askStates(now: TreeFilter): Promise<Asked> {
  const chosen = await askSeveral(vscode.l10n.t('Runs in which states?'), runStates, now.runs.states, stateWord);
  return chosen && { ...now, runs: { ...now.runs, states: chosen.some } };
}

async function askModes(now: TreeFilter): Promise<Asked> {
  const chosen = await askSeveral(vscode.l10n.t('Runs of which modes?'), runModes, now.runs.modes, (mode) => mode);
  return chosen && { ...now, runs: { ...now.runs, modes: chosen.some } };
}

/** All or none chosen means no filter. */
async function askSeveral<T extends string>(
  title: string,
  all: readonly T[],
  chosen: readonly T[] | undefined,
  word: (one: T) => string,
): Promise<{ some: T[] | undefined } | undefined> {
  const items = all.map((one) => ({ label: word(one), picked: chosen?.includes(one) ?? false, one }));
  const picked = await vscode.window.showQuickPick(items, { ignoreFocusOut: true, title, canPickMany: true });
  if (picked === undefined) return undefined;
  const some = picked.length === 0 || picked.length === all.length ? undefined : picked.map(({ one }) => one);
  return { some };
}
