/** Tasks and traces as read-only text documents, their editor features, and the commands on them. */
import * as vscode from 'vscode';
import type { Failures } from '../feedback/failures.ts';
import { slowly } from '../feedback/slowly.ts';
import { registerHealth } from '../../features/health/host/healthDiagnostics.ts';
import { once } from '../once.ts';
import type { RunCatalog } from '../runs/runs.ts';
import type { OpenRuns } from '../trees/openRuns.ts';
import { runTargetSchema } from '../trees/target.ts';
import { RecordWatch } from './recordWatch.ts';
import { placeOf, taskScheme, taskUri, traceScheme, traceUri } from './layout/place.ts';
import { RecordFiles } from './recordFiles.ts';
import { registerRecordProviders } from './recordProviders.ts';
import { defined } from '../../shared/defined.ts';
import { registerCommand } from '../commands/registerCommand.ts';

export interface DocumentsDeps {
  open: OpenRuns;
  catalog: Pick<RunCatalog, 'get'>;
  failures: Failures;
}

/** @returns the documents of each kind, for other features */
export function registerDocuments(
  context: vscode.ExtensionContext,
  deps: DocumentsDeps,
): { tasks: RecordFiles; traces: RecordFiles } {
  const { open, catalog, failures } = deps;
  // Loaded with the first document that is opened.
  const reading = once(() => import('./reading.ts'));
  const commands = once(() => import('./attemptCommands.ts'));
  const peek = once(async () => {
    const made = new (await import('./attemptPeek.ts')).AttemptPeek(open, traces);
    context.subscriptions.push(made);
    return made;
  });
  const step = async (argument: unknown, steps: 1 | -1): Promise<void> => {
    if (argument === 'in place') await (await peek()).step(steps);
    else await (await commands()).stepAttempt({ open, traces }, argument, steps);
  };
  const tasks = new RecordFiles(taskScheme, async (uri) => {
    const place = placeOf(uri);
    return (await reading()).readTask(await open.open(place.run), place);
  });
  const traces = new RecordFiles(traceScheme, async (uri) => {
    const place = placeOf(uri);
    return (await reading()).readTrace(await open.open(place.run), place);
  });
  const watch = new RecordWatch({
    ...{ catalog, open },
    runs: () => openRecords().map((uri) => placeOf(uri).run),
    grown: async (runs) => {
      const grown = openRecords().filter((uri) => runs.has(placeOf(uri).run));
      await failures.guard(vscode.l10n.t('The open file was not updated'), async () => {
        await tasks.again(grown.filter(({ scheme }) => scheme === taskScheme));
        await traces.again(grown.filter(({ scheme }) => scheme === traceScheme));
      });
    },
  });
  const command = (id: string, failed: string, run: (argument: unknown) => Promise<void>): vscode.Disposable =>
    registerCommand(id, (argument: unknown) => failures.guard(failed, () => run(argument)));
  const notOpened = vscode.l10n.t('The trace was not opened');
  context.subscriptions.push(
    ...[tasks, traces, watch],
    registerRecordProviders(
      context.extensionUri,
      { [taskScheme]: tasks, [traceScheme]: traces },
      (error) => void failures.tell(vscode.l10n.t('The verdicts were not marked'), error),
    ),
    registerHealth(tasks, (error) => void failures.tell(vscode.l10n.t('The health flags were not shown'), error)),
    command('genenv.openTask', vscode.l10n.t('The task was not opened'), async (argument) => {
      const { run, task, epoch } = runTargetSchema.required({ task: true }).parse(argument);
      const shown = async (): Promise<void> => {
        await (await reading()).knownTask(await open.open(run), task);
        await show(taskUri(run, task, epoch));
      };
      await slowly(vscode.l10n.t('Opening task {0}…', task), shown());
    }),
    command('genenv.openTrace', notOpened, async (argument) => {
      const { run, trace } = runTargetSchema.required({ trace: true }).parse(argument);
      const shown = async (): Promise<void> => {
        await (await reading()).traceOf(await open.open(run), trace);
        await show(traceUri(run, trace));
      };
      await slowly(vscode.l10n.t('Opening trace {0}…', trace), shown());
    }),
    command('genenv.nextAttempt', notOpened, (argument) => step(argument, 1)),
    command('genenv.previousAttempt', notOpened, (argument) => step(argument, -1)),
    command('genenv.compareAttempt', vscode.l10n.t('The attempts were not compared'), async (argument) =>
      (await commands()).compareAttempt({ catalog, open, traces }, argument),
    ),
    command('genenv.peekAttempts', vscode.l10n.t('The attempts were not shown'), async (argument) =>
      (await peek()).show(argument ?? targetInFront()),
    ),
  );
  return { tasks, traces };
}

/** Tasks and traces that are open in some editor. */
const openRecords = (): vscode.Uri[] =>
  vscode.workspace.textDocuments
    .map(({ uri }) => uri)
    .filter(({ scheme }) => scheme === taskScheme || scheme === traceScheme);

async function show(uri: vscode.Uri): Promise<void> {
  await vscode.window.showTextDocument(uri, { preview: true });
}

/** The task in front, for a command that was called by a key. */
function targetInFront(): unknown {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme !== taskScheme) throw new Error(vscode.l10n.t('No task is open.'));
  const { run, id, at } = placeOf(uri);
  return { run, task: id, ...defined({ epoch: at }) };
}
