/** Start Run, Run the Demo. */
import { isUtf8 } from 'node:buffer';
import * as vscode from 'vscode';
import { parseOrUndefined } from '../../shared/json.ts';
import { requireTrust, SteerError } from '../runs/steerError.ts';
import type { RunDir, StartRequest } from '../runs/runs.ts';
import type { CommandContext, Commands } from './context.ts';
import { pickExperiment } from './experimentFile.ts';
import { untilUnderWay } from './startUp.ts';

const notStarted = (): string => vscode.l10n.t('The run was not started');

export const startCommands = {
  startRun: {
    failed: notStarted,
    async run(context, argument) {
      requireTrust();
      const file = await pickExperiment(argument, vscode.l10n.t('Which experiment to start?'));
      if (file === undefined) return;
      const request = await context.clear(file);
      if (request !== null) await begin(context, request);
    },
  },
  runDemo: {
    failed: () => vscode.l10n.t('The demo was not started'),
    async run(context) {
      requireTrust();
      const request = await context.clear(await demoFile(context), true);
      if (request !== null) await begin(context, request);
    },
  },
} satisfies Commands;

/** Starts a run that was checked, shows it, and says so while it is on its way. */
export async function begin(context: CommandContext, request: StartRequest): Promise<RunDir> {
  const { service, failures } = context;
  const dir = await service.start(request);
  void untilUnderWay(service, dir, vscode.l10n.t('Starting “{0}”…', request.experiment.name));
  const wished = vscode.workspace.getConfiguration('genenv', request.file).get<boolean>('openCalibrationOnStart', true);
  if (wished) {
    void failures.guard(vscode.l10n.t('Calibration was not opened'), async () => {
      await vscode.commands.executeCommand('genenv.openCalibration', { run: dir });
    });
  }
  return dir;
}

/** The demo's experiment in the first folder: an existing file under its own name, or one that says the same. */
async function demoFile({ extensionUri, folders }: CommandContext): Promise<vscode.Uri> {
  const [folder] = folders.all;
  if (folder === undefined) {
    throw new SteerError('no-folder', vscode.l10n.t('No folder is open to keep runs in.'), {
      remedy: vscode.l10n.t('Open any folder; the demo adds one file to it.'),
    });
  }
  const file = vscode.Uri.joinPath(folder.workspace.uri, 'demo.genenv.json');
  const there = await vscode.workspace.findFiles(
    new vscode.RelativePattern(folder.workspace, 'demo.genenv.json'),
    null,
    1,
  );
  if (there.length > 0) return file;
  const text = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, 'demo', 'embedded.genenv.json'));
  const equal = await equalFile(folder.workspace, text);
  if (equal !== null) return equal;
  await vscode.workspace.fs.writeFile(file, text);
  return file;
}

/** An experiment in the folder itself that says the same, whatever its layout; null for none. */
async function equalFile(folder: vscode.WorkspaceFolder, text: Uint8Array): Promise<vscode.Uri | null> {
  const meant = contentOf(text);
  const files = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, '*.genenv.json'), null, 50);
  for (const file of files.toSorted((a, b) => a.path.localeCompare(b.path))) {
    if (contentOf(await vscode.workspace.fs.readFile(file)) === meant) return file;
  }
  return null;
}

/** JSON without its layout; null for what is none. */
function contentOf(bytes: Uint8Array): string | null {
  const value = isUtf8(bytes) ? parseOrUndefined(new TextDecoder().decode(bytes)) : undefined;
  return value === undefined ? null : JSON.stringify(value);
}
