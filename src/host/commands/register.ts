import * as vscode from 'vscode';
import { againCommands } from './again.ts';
import type { Command, CommandContext } from './context.ts';
import { lookCommands } from './look.ts';
import { removeCommands } from './remove.ts';
import { startCommands } from './start.ts';
import { steerCommands } from './steer.ts';

const table: readonly Command[] = [
  ...startCommands,
  ...steerCommands,
  ...againCommands,
  ...lookCommands,
  ...removeCommands,
];

/** Registers every command about whole runs. */
export function registerCommands(context: CommandContext): vscode.Disposable {
  return vscode.Disposable.from(
    ...table.map(({ id, failed, run }) =>
      vscode.commands.registerCommand(id, async (argument?: unknown) => {
        try {
          await run(context, argument);
        } catch (error) {
          void context.failures.tell(failed(), error);
        }
      }),
    ),
  );
}
