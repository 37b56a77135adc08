/** Asks what a person says of an attempt: pass or fail, and labels, known ones or new. */
import * as vscode from 'vscode';
import {
  labelNameSchema,
  type LabelEvent,
  type PersonLabel,
  type PersonVerdict,
} from '../../../shared/records/label.ts';
import { defined } from '../../../shared/defined.ts';

export type Saying = Pick<LabelEvent, 'verdict' | 'labels'>;

type Item = vscode.QuickPickItem &
  ({ verdict: PersonVerdict } | { named: string } | { kind: vscode.QuickPickItemKind });

/**
 * Undefined when it was given up; without verdict and labels where all were unticked.
 * @param before what the same person said
 * @param known labels of the run
 */
export async function askLabel(
  trace: string,
  before: Pick<PersonLabel, 'verdict' | 'labels'>,
  known: readonly string[],
): Promise<Saying | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = vscode.l10n.t('Label {0}', trace);
  picker.placeholder = vscode.l10n.t('Tick what holds, or type a new label. Untick all to take it back.');
  picker.canSelectMany = true;
  picker.ignoreFocusOut = true;
  const verdicts: Item[] = [
    { verdict: 'pass', label: vscode.l10n.t('Pass'), description: vscode.l10n.t('it solves its task') },
    { verdict: 'fail', label: vscode.l10n.t('Fail'), description: vscode.l10n.t('it does not') },
  ];
  const names = new Set([...known, ...before.labels]);
  const items = new Map<string, Item>();
  const itemOf = (named: string, description?: string): Item => {
    const item = items.get(named) ?? { named, label: named, ...defined({ description }) };
    items.set(named, item);
    return item;
  };
  const draw = (typed: string): void => {
    const fresh = labelNameSchema.safeParse(typed).success && !names.has(typed) ? [typed] : [];
    picker.items = [
      ...verdicts,
      { label: vscode.l10n.t('Labels'), kind: vscode.QuickPickItemKind.Separator },
      ...[...names].sort().map((name) => itemOf(name)),
      ...fresh.map((name) => itemOf(name, vscode.l10n.t('new label'))),
    ];
  };
  const isVerdict = (item: Item, verdict: PersonVerdict | null): boolean =>
    'verdict' in item && item.verdict === verdict;
  draw('');
  let selected: readonly Item[] = [
    ...verdicts.filter((item) => isVerdict(item, before.verdict)),
    ...before.labels.map((name) => itemOf(name)),
  ];
  picker.selectedItems = selected;
  const { promise, resolve } = Promise.withResolvers<Saying | undefined>();
  picker.onDidChangeValue((typed) => {
    draw(typed.trim());
    picker.selectedItems = selected;
  });
  picker.onDidChangeSelection((now) => {
    for (const item of now) if ('named' in item) names.add(item.named);
    const both = now.filter((item) => 'verdict' in item);
    // The one that was ticked last stands.
    const stale = both.length > 1 ? both.find((item) => selected.includes(item)) : undefined;
    selected = now.filter((item) => item !== stale);
    if (stale !== undefined) picker.selectedItems = selected;
  });
  picker.onDidAccept(() => {
    const [verdict = null] = selected.flatMap((item) => ('verdict' in item ? [item.verdict] : []));
    resolve({ verdict, labels: selected.flatMap((item) => ('named' in item ? [item.named] : [])) });
    picker.hide();
  });
  picker.onDidHide(() => {
    resolve(undefined);
    picker.dispose();
  });
  picker.show();
  return promise;
}
