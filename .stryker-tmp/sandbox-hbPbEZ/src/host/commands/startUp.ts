/** Between the start of a run and its first sign of life a person sees that something happens, and can stop it. */
import * as vscode from 'vscode';
import type { RunDir, RunService } from '../runs/runs.ts';

/** Resolves when the run works on its first phase, or ended. */
export async function untilUnderWay(service: RunService, dir: RunDir, title: string): Promise<void> {
  const location = vscode.ProgressLocation.Notification;
  await vscode.window.withProgress({ location, title, cancellable: true }, async (_progress, token) => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const subscription = vscode.Disposable.from(
      token.onCancellationRequested(() => void service.pause(dir, 'now')),
      service.onDidProgress((run) => {
        if (run.dir === dir && run.phases.length > 0) resolve(undefined);
      }),
      service.onDidChangeActive(() => {
        if (!service.active.has(dir)) resolve(undefined);
      }),
    );
    if (!service.active.has(dir)) resolve(undefined);
    await promise;
    subscription.dispose();
  });
}
