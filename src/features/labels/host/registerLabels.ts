/** People's labels on attempts: a lens above each trace, the command that asks for them, and how far the judge agrees. */
import { userInfo } from 'node:os';
import * as vscode from 'vscode';
import type { CommandContext } from '../../../host/commands/context.ts';
import { pickRun } from '../../../host/commands/pickRun.ts';
import { placeOf, traceScheme, verdictLine } from '../../../host/documents/layout/place.ts';
import type { TraceTarget } from '../../../host/files/traceInFront.ts';
import { LinkedDocuments } from '../../../host/linkedDocuments.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import { labelVersion } from '../../../shared/records/label.ts';
import { labelWords } from './labelWords.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

type Needs = Pick<CommandContext, 'catalog' | 'clock' | 'folders' | 'failures'>;

const labelsFile = () => import('../../../runs/records/labelsFile.ts');

export function registerLabels({ subscriptions }: vscode.ExtensionContext, needs: Needs): void {
  const { failures, folders } = needs;
  const changed = new vscode.EventEmitter<void>();
  const documents = new LinkedDocuments('genenv-labels', () =>
    vscode.l10n.t('These labels are closed: open the labels of the run again.'),
  );
  subscriptions.push(
    changed,
    documents,
    vscode.languages.registerCodeLensProvider(
      { scheme: traceScheme },
      { onDidChangeCodeLenses: changed.event, provideCodeLenses: lensesOf },
    ),
    registerCommand('genenv.labelAttempt', (argument: unknown) =>
      failures.guard(vscode.l10n.t('The label was not kept'), async () => {
        requireTrust();
        const { traceInFront } = await import('../../../host/files/traceInFront.ts');
        const target = await traceInFront(argument, vscode.l10n.t('Label which attempt?'));
        if (target !== undefined && (await labelAttempt(needs, target))) changed.fire();
      }),
    ),
    registerCommand('genenv.showLabels', (argument: unknown) =>
      failures.guard(vscode.l10n.t('The labels were not shown'), async () => {
        const run = await pickRun(needs, argument, {
          title: vscode.l10n.t('Show the labels of which run?'),
          fits: () => true,
          none: vscode.l10n.t('There is no run yet.'),
        });
        if (run === undefined) return;
        const [{ labelledRun }, { layLabels }] = await Promise.all([
          import('../node/labelledRun.ts'),
          import('./labelsLayout.ts'),
        ]);
        await folders.reading(run.dir, async (reader) => {
          const whole = await labelledRun(reader);
          for (const error of whole.damaged) void failures.tell(vscode.l10n.t('A label cannot be read'), error);
          const title = vscode.l10n.t('Labels of {0}', run.head.name);
          await documents.show(run.dir, title, layLabels(whole, run.head.name));
        });
      }),
    ),
  );
}

async function lensesOf({ uri }: vscode.TextDocument): Promise<vscode.CodeLens[]> {
  const { run, id: trace, text } = placeOf(uri);
  if (text !== undefined) return [];
  const { readLabels } = await labelsFile();
  const people = (await readLabels(runPaths(run).attemptLabels)).attempts.get(trace) ?? [];
  const title = people.length === 0 ? vscode.l10n.t('Label…') : vscode.l10n.t('Label: {0}', labelWords(people));
  const command = { title, command: 'genenv.labelAttempt', arguments: [{ run, trace }] };
  return [new vscode.CodeLens(new vscode.Range(verdictLine, 0, verdictLine, 0), command)];
}

/** Whether anything was said. @throws RunError */
async function labelAttempt({ clock }: Needs, { run, trace }: TraceTarget): Promise<boolean> {
  const [{ appendLabel, readLabels }, { askLabel }] = await Promise.all([labelsFile(), import('./askLabel.ts')]);
  const path = runPaths(run).attemptLabels;
  const { attempts } = await readLabels(path);
  const author = userInfo().username;
  const before = attempts.get(trace)?.find((one) => one.author === author) ?? { verdict: null, labels: [] };
  const known = new Set([...attempts.values()].flatMap((people) => people.flatMap(({ labels }) => labels)));
  const said = await askLabel(trace, before, [...known]);
  if (said === undefined) return false;
  await appendLabel(path, { v: labelVersion, at: clock.now(), author, trace, ...said });
  return true;
}
