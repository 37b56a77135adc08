/** The setting `genenv.endpoints`: read, and written where it counts. */
import * as vscode from 'vscode';
import {
  entriesOf,
  readRemembered,
  type RememberedEndpoint,
  type UnusableEndpoint,
} from '../../shared/experiment/endpoints/rememberedEndpoint.ts';

const section = 'genenv';
const name = 'endpoints';

/** A workspace that has its own list has it in place of the person's. */
function place(): { target: vscode.ConfigurationTarget; value: unknown } {
  const inspected = vscode.workspace.getConfiguration(section).inspect<unknown>(name);
  return inspected?.workspaceValue === undefined
    ? { target: vscode.ConfigurationTarget.Global, value: inspected?.globalValue }
    : { target: vscode.ConfigurationTarget.Workspace, value: inspected.workspaceValue };
}

/** In a workspace that is not trusted the list of the workspace does not count. */
export const allRemembered = (): (RememberedEndpoint | UnusableEndpoint)[] =>
  readRemembered(vscode.workspace.getConfiguration(section).get<unknown>(name));

export const remembered = (): RememberedEndpoint[] => allRemembered().filter((entry) => 'endpoint' in entry);

/** Changes the list; entries that cannot be used stay as they are. */
export async function changeRemembered(change: (entries: readonly unknown[]) => readonly unknown[]): Promise<void> {
  const { target, value } = place();
  await vscode.workspace.getConfiguration(section).update(name, change(entriesOf(value)), target);
}
