/** Pause, resume, stop. */
import * as vscode from 'vscode';
import { stepDone } from '../feedback/stepsDone.ts';
import { isResumable, isRunning } from '../runs/contextKeys.ts';
import type { KnownRun } from '../runs/runs.ts';
import { requireTrust } from '../runs/steerError.ts';
import type { Commands } from './context.ts';
import { pickRun, type RunChoice } from './pickRun.ts';
import { untilUnderWay } from './startUp.ts';

const running = (title: string, fits: RunChoice['fits'] = isRunning): RunChoice => ({
  title,
  fits,
  none: vscode.l10n.t('No run is running now.'),
});
const here = ({ writer }: KnownRun): boolean => writer === 'here';
const notPaused = (): string => vscode.l10n.t('The run was not paused');

export const steerCommands = {
  pauseRun: {
    failed: notPaused,
    async run(context, argument) {
      requireTrust();
      const run = await pickRun(
        context,
        argument,
        running(vscode.l10n.t('Which run to pause at its next phase boundary?')),
      );
      if (run === undefined) return;
      await context.service.pause(run.dir, 'boundary');
      void stepDone('steer');
      if (run.writer !== 'elsewhere') return;
      const text = vscode.l10n.t('“{0}” was asked to pause; it does so at the next phase boundary.', run.head.name);
      vscode.window.setStatusBarMessage(text, 5_000);
    },
  },
  pauseRunNow: {
    failed: notPaused,
    async run(context, argument) {
      requireTrust();
      const run = await pickRun(context, argument, running(vscode.l10n.t('Which run to pause now?'), here));
      if (run === undefined) return;
      await context.service.pause(run.dir, 'now');
      void stepDone('steer');
    },
  },
  resumeRun: {
    failed: () => vscode.l10n.t('The run was not resumed'),
    async run(context, argument) {
      requireTrust();
      const { service } = context;
      const run = await pickRun(context, argument, {
        title: vscode.l10n.t('Which run to resume?'),
        fits: isResumable,
        none: vscode.l10n.t('No run waits to be resumed.'),
      });
      if (run === undefined) return;
      await service.resume(run.dir);
      void stepDone('steer');
      void untilUnderWay(service, run.dir, vscode.l10n.t('Resuming “{0}”…', run.head.name));
    },
  },
  stopRun: {
    failed: () => vscode.l10n.t('The run was not stopped'),
    async run(context, argument) {
      requireTrust();
      const run = await pickRun(context, argument, running(vscode.l10n.t('Which run to stop?')));
      if (run === undefined) return;
      const title = vscode.l10n.t('Stopping “{0}”…', run.head.name);
      const location =
        run.writer === 'elsewhere' ? vscode.ProgressLocation.Notification : vscode.ProgressLocation.Window;
      await vscode.window.withProgress({ location, title }, () => context.service.stop(run.dir));
    },
  },
} satisfies Commands;
