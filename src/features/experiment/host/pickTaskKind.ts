/** The first question of a new experiment: the kind of tasks. */
import * as vscode from 'vscode';

export type TaskKind = 'stories' | 'reasoning' | 'own' | 'recipe' | 'embedded';

/** Undefined when it was given up. */
export async function pickTaskKind(): Promise<TaskKind | undefined> {
  const item = (kind: TaskKind, icon: string, label: string, detail: string) => ({
    ...{ kind: vscode.QuickPickItemKind.Default, label: `$(${icon}) ${label}`, detail, tasks: kind },
  });
  const heading = (label: string) => ({ kind: vscode.QuickPickItemKind.Separator, label, tasks: undefined });
  const items = [
    heading(vscode.l10n.t('For language models')),
    item(
      'stories',
      'book',
      vscode.l10n.t('Arithmetic stories'),
      vscode.l10n.t(
        'The environment writes stories in plain language, and the calculation of their answers is executed.',
      ),
    ),
    item(
      'reasoning',
      'lightbulb',
      vscode.l10n.t('Reasoning Gym'),
      vscode.l10n.t('About a hundred kinds of puzzles that a Python package writes and judges; it is installed once.'),
    ),
    item(
      'own',
      'symbol-method',
      vscode.l10n.t('Tasks of your own…'),
      vscode.l10n.t('A domain file says what the environment writes and how answers are judged.'),
    ),
    item(
      'recipe',
      'mortar-board',
      vscode.l10n.t('Tasks in a benchmark’s form…'),
      vscode.l10n.t(
        'The environment varies tasks of BFCL, API-Bank, Bamboogle, ALFWorld or TravelPlanner, from a file.',
      ),
    ),
    heading(vscode.l10n.t('On this machine')),
    item(
      'embedded',
      'rocket',
      vscode.l10n.t('Embedded demo…'),
      vscode.l10n.t('Tool calls in a small shop, in the language of the two embedded models: no GPU, no key.'),
    ),
  ];
  const picked = await vscode.window.showQuickPick<(typeof items)[number]>(items, {
    ignoreFocusOut: true,
    title: vscode.l10n.t('New experiment'),
    placeHolder: vscode.l10n.t('What tasks?'),
    matchOnDetail: true,
  });
  return picked?.tasks;
}

const recipes: readonly { name: string; label: string }[] = [
  { name: 'bfcl', label: 'BFCL' },
  { name: 'api-bank', label: 'API-Bank' },
  { name: 'bamboogle', label: 'Bamboogle' },
  { name: 'alfworld', label: 'ALFWorld' },
  { name: 'travelplanner', label: 'TravelPlanner' },
];

/** Which benchmark, and the file of its tasks that are varied; undefined when it was given up. */
export async function pickRecipe(folder: vscode.Uri): Promise<{ name: string; seeds: vscode.Uri } | undefined> {
  const picked = await vscode.window.showQuickPick(
    recipes.map(({ name, label }) => ({ label, name })),
    { ignoreFocusOut: true, title: vscode.l10n.t('Which benchmark?') },
  );
  if (picked === undefined) return undefined;
  const [seeds] =
    (await vscode.window.showOpenDialog({
      defaultUri: folder,
      title: vscode.l10n.t('Which tasks of {0} are varied? “Use as Seed Tasks…” writes such a file.', picked.label),
      openLabel: vscode.l10n.t('Use Tasks'),
      filters: { [vscode.l10n.t('Tasks')]: ['jsonl'] },
    })) ?? [];
  return seeds === undefined ? undefined : { name: picked.name, seeds };
}
