/** Notifies the user of the end of a run of this window where action is needed, with a button for the next step. */
import * as vscode from 'vscode';
import { inWords } from '../../shared/journal/recordedWords.ts';
import type { LandedRun, RunCatalog, RunService } from '../runs/runs.ts';
import type { Failures } from './failures.ts';

interface Offer {
  label: string;
  command: string;
}

/** @param catalog has the names of runs */
export function registerNotifications(
  service: RunService,
  catalog: Pick<RunCatalog, 'get'>,
  failures: Failures,
): vscode.Disposable {
  return service.onDidLand((landed) => {
    void failures.guard(vscode.l10n.t('The end of a run could not be shown'), () =>
      tell(landed, catalog.get(landed.run.dir)?.head.name ?? landed.run.experiment.name),
    );
  });
}

async function tell({ run, landing }: LandedRun, name: string): Promise<void> {
  const { epochs } = run.experiment;
  const resume = { label: vscode.l10n.t('Resume'), command: 'genenv.resumeRun' };
  const log = { label: vscode.l10n.t('Show Log'), command: 'genenv.showLog' };
  const folder = { label: vscode.l10n.t('Open Folder'), command: 'genenv.openRunFolder' };
  const done = run.state.summaries.length;
  const why = inWords(landing.error?.message ?? '');
  if (landing.state === 'finished') {
    const calibration = { label: vscode.l10n.t('Open Calibration'), command: 'genenv.openCalibration' };
    const report = { label: vscode.l10n.t('Make Report'), command: 'genenv.makeReport' };
    const note = inWords(run.state.finished?.note ?? '');
    if (landing.ending === 'no-tasks') {
      const text = vscode.l10n.t('“{0}” ended after {1} of {2} epochs. {3}', name, done, epochs, note);
      await offer(run.dir, vscode.window.showWarningMessage, text, [report, log, folder]);
      return;
    }
    const text = vscode.l10n.t('“{0}” is finished. {1}', name, note).trim();
    await offer(run.dir, vscode.window.showInformationMessage, text, [calibration, report]);
  } else if (landing.state === 'failed') {
    const text = vscode.l10n.t(
      '“{0}” failed after {1} of {2} epochs: {3} Finished work is kept.',
      name,
      done,
      epochs,
      sentence(why),
    );
    await offer(run.dir, vscode.window.showErrorMessage, text, [resume, log, folder]);
  } else if (landing.state === 'paused' && landing.error !== undefined) {
    const text = vscode.l10n.t(
      '“{0}” paused by itself after {1} of {2} epochs: {3}',
      name,
      done,
      epochs,
      sentence(why),
    );
    const lost = await lossText(run, landing.error);
    await offer(run.dir, vscode.window.showWarningMessage, `${text} ${lost}`.trim(), [resume, log, folder]);
  }
  // Other ends were requested, and the user sees them happen.
}

/** The phase that is repeated after a server lost the run's state; '' for every other pause. */
async function lossText({ state }: LandedRun['run'], error: Error): Promise<string> {
  const { begunAgain, hasLost } = await import('../../launch/renewal.ts');
  const again = hasLost(error) ? begunAgain(state) : null;
  if (again === null) return '';
  return again.updates
    ? vscode.l10n.t('The updates of epoch {0} restart from their checkpoints; samples are kept.', again.epoch)
    : vscode.l10n.t('Epoch {0} continues where it was; samples are kept.', again.epoch);
}

async function offer(
  run: string,
  show: (text: string, ...labels: string[]) => Thenable<string | undefined>,
  text: string,
  offers: readonly Offer[],
): Promise<void> {
  const chosen = await show(text, ...offers.map(({ label }) => label));
  const command = offers.find(({ label }) => label === chosen)?.command;
  if (command !== undefined) await vscode.commands.executeCommand(command, { run });
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
