/** Import Rollouts…: another program's attempts as a run; first shows what the file contains and what is left out. */
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { importRollouts } from '../../../runs/import/rollouts/importRollouts.ts';
import type { Rollout } from '../../../runs/import/rollouts/rollout.ts';
import { surveyRollouts, type Survey } from '../../../runs/import/rollouts/survey.ts';
import { surveyLines } from '../../../runs/import/rollouts/surveyWords.ts';
import { startOf } from '../../../host/documents/layout/messages.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { count, rate } from '../../../shared/text/figures/numbers.ts';
import { parts } from '../../../host/trees/words.ts';
import type { CommandContext, Commands } from '../../../host/commands/context.ts';
import { inEnglish } from '../../../launch/language.ts';

/** Rows without a verdict of their own are solved from this reward on. */
const choices = { format: null, solved: 1 };

export const importCommands = {
  importRollouts: {
    failed: () => vscode.l10n.t('The rollouts were not imported'),
    async run(context, argument) {
      requireTrust();
      const uri = argument instanceof vscode.Uri ? argument : await choose();
      if (uri === undefined) return;
      const survey = await progressing(vscode.l10n.t('Reading {0}', basename(uri.fsPath)), () =>
        surveyRollouts(uri.fsPath, choices, context.dist),
      );
      if (await confirmed(uri, survey)) await makeRun(context, uri, survey);
    },
  },
} satisfies Commands;

async function choose(): Promise<vscode.Uri | undefined> {
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Rollouts of verl, TRL, verifiers, or OpenAI messages'),
      openLabel: vscode.l10n.t('Import'),
      canSelectFolders: true,
      filters: { [vscode.l10n.t('Rollouts')]: ['jsonl', 'parquet', 'csv', 'tsv'] },
    })) ?? [];
  return chosen;
}

interface PreviewItem extends vscode.QuickPickItem {
  imports?: true;
  /** The place of a row that is left out or shown: `dump.jsonl:12`. */
  place?: string;
}

/** Shows the survey; a row that is left out opens at its line. */
async function confirmed(uri: vscode.Uri, survey: Survey): Promise<boolean> {
  const [sum = '', ...remarks] = surveyLines({ ...survey, leftOut: [] });
  const separator = (label: string): PreviewItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const items: PreviewItem[] = [
    { label: `$(cloud-download) ${vscode.l10n.t('Import as a run')}`, description: sum, imports: true },
    ...remarks.map((label): PreviewItem => ({ label: `$(info) ${label}` })),
    separator(vscode.l10n.t('First attempts')),
    ...survey.first.map(shown),
    ...(survey.leftOut.length === 0 ? [] : [separator(vscode.l10n.t('Left out'))]),
    ...survey.leftOut.map(({ why, count: left, examples: [place = ''] }): PreviewItem => ({
      ...{ label: `$(warning) ${vscode.l10n.t('{0}: {1}', count(left), why)}`, description: place, place },
    })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    ignoreFocusOut: true,
    title: vscode.l10n.t('Import {0}', basename(uri.fsPath)),
    placeHolder: vscode.l10n.t('What was found, and what is left out'),
  });
  if (picked?.place !== undefined) await openRow(uri, survey, picked.place);
  return picked?.imports === true;
}

function shown({ prompt, messages, reward, step }: Rollout): PreviewItem {
  const asked = prompt.at(-1)?.content ?? '';
  return {
    label: `$(comment) ${startOf(asked, 60)}`,
    description: parts(
      step === null ? null : vscode.l10n.t('step {0}', count(step)),
      reward === null ? null : vscode.l10n.t('reward {0}', rate(reward)),
    ),
    detail: startOf(messages.at(-1)?.content ?? '', 120),
  };
}

async function openRow(uri: vscode.Uri, { files }: Survey, place: string): Promise<void> {
  const at = place.lastIndexOf(':');
  const file = files.find((one) => basename(one) === place.slice(0, at)) ?? uri.fsPath;
  // Rows of a table without lines of text are only named.
  if (file.endsWith('.parquet')) return;
  const line = Math.max(0, Number(place.slice(at + 1)) - 1);
  const selection = new vscode.Range(line, 0, line, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(file), { selection, preview: true });
}

async function makeRun(
  { folders, catalog, clock, dist }: CommandContext,
  uri: vscode.Uri,
  survey: Survey,
): Promise<void> {
  const folder = folders.of(uri);
  const store = await folder.store();
  const name = basename(uri.fsPath);
  const id = await progressing(vscode.l10n.t('Importing {0}', name), () =>
    inEnglish(() => importRollouts({ store, survey, choices, name, clock, dist })),
  );
  await catalog.refresh();
  const show = vscode.l10n.t('Show in Runs');
  const text = vscode.l10n.t('Imported {0} attempts at {1} tasks.', count(survey.rollouts), count(survey.tasks));
  // A command ends with its work; its message may stay until the user answers.
  void vscode.window.showInformationMessage(text, show).then((chosen) => {
    if (chosen === show) void vscode.commands.executeCommand('genenv.showInRuns', { run: join(folder.root, id) });
  });
}

const progressing = <T>(title: string, work: () => Promise<T>): Thenable<T> =>
  vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, work);
