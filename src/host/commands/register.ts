import * as vscode from 'vscode';
import type { Command, CommandContext } from './context.ts';
import { registerCommand } from './registerCommand.ts';

/** Every command about whole runs. Most windows never ask for most of them, so each group is loaded when it is. */
const start = () => import('./start.ts').then(({ startCommands }) => startCommands);
const steer = () => import('./steer.ts').then(({ steerCommands }) => steerCommands);
const again = () => import('./again.ts').then(({ againCommands }) => againCommands);
const look = () => import('./look.ts').then(({ lookCommands }) => lookCommands);
const edit = () => import('./edit.ts').then(({ editCommands }) => editCommands);
const importing = () =>
  import('../../features/import/host/importRollouts.ts').then(({ importCommands }) => importCommands);
const making = () =>
  import('../../features/makeTasks/host/makeTasks.ts').then(({ makeTasksCommands }) => makeTasksCommands);
const remove = () => import('./remove.ts').then(({ removeCommands }) => removeCommands);

const table: Readonly<Record<string, () => Promise<Command>>> = {
  startRun: async () => (await start()).startRun,
  runDemo: async () => (await start()).runDemo,
  pauseRun: async () => (await steer()).pauseRun,
  pauseRunNow: async () => (await steer()).pauseRunNow,
  resumeRun: async () => (await steer()).resumeRun,
  stopRun: async () => (await steer()).stopRun,
  branchRun: async () => (await again()).branchRun,
  rerunRun: async () => (await again()).rerunRun,
  openRunFolder: async () => (await look()).openRunFolder,
  openExperiment: async () => (await look()).openExperiment,
  showLog: async () => (await look()).showLog,
  openWalkthrough: async () => (await look()).openWalkthrough,
  refreshRuns: async () => (await look()).refreshRuns,
  excludeTask: async () => (await edit()).excludeTask,
  restoreTask: async () => (await edit()).restoreTask,
  importRollouts: async () => (await importing()).importRollouts,
  makeTasks: async () => (await making()).makeTasks,
  installReasoning: async () => (await import('../../features/domains/host/installReasoning.ts')).installReasoningGym,
  deleteRun: async () => (await remove()).deleteRun,
};

export function registerCommands(context: CommandContext): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(table).map(([name, load]) =>
      registerCommand(`genenv.${name}`, async (argument?: unknown) => {
        const { failed, run } = await load();
        try {
          await run(context, argument);
        } catch (error) {
          void context.failures.tell(failed(), error);
        }
      }),
    ),
  );
}
