/** Steps of the walkthrough: each is ticked by a context key, once a person did what it asks for. */
import * as vscode from 'vscode';

type Step = 'calibration' | 'experiment' | 'steer' | 'compare' | 'tasks' | 'endpoints' | 'rewards';

/**
 * The end of its command is not enough: a command that was cancelled ends too. VS Code ticks when the key turns true, and
 * never where it was true before the walkthrough was loaded: so the key is true for a moment only.
 */
export async function stepDone(step: Step): Promise<void> {
  for (const value of [true, false]) await vscode.commands.executeCommand('setContext', `genenv.did.${step}`, value);
}
