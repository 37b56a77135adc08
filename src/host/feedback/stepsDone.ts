/** Steps of the walkthrough: each is ticked by a context key, once a person did what it asks for. */
import * as vscode from 'vscode';

type Step = 'calibration' | 'experiment' | 'steer' | 'compare' | 'tasks' | 'endpoints' | 'rewards';

const told = new Set<Step>();

/** The end of its command is not enough: a command that was cancelled ends too. */
export function stepDone(step: Step): void {
  if (told.has(step)) return;
  told.add(step);
  void vscode.commands.executeCommand('setContext', `genenv.did.${step}`, true);
}
