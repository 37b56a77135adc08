import * as vscode from 'vscode';

/** So long nothing is said, in milliseconds. */
const patience = 500;

/** Shows that something is under way once it takes long. */
export async function slowly<T>(title: string, work: Promise<T>): Promise<T> {
  const told = setTimeout(() => {
    // Whoever waits for the work hears of its failure.
    const ended = work.then(
      () => undefined,
      () => undefined,
    );
    void vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () => ended);
  }, patience);
  try {
    return await work;
  } finally {
    clearTimeout(told);
  }
}
