import * as vscode from 'vscode';

/** Milliseconds before a message appears. */
const patience = 500;

/** Shows that something is under way once it takes long. */
export async function slowly<T>(title: string, work: Promise<T>): Promise<T> {
  const told = setTimeout(() => {
    // The caller of the work gets its failure.
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
