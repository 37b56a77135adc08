/** Where a read-only document comes from: a run, and a task or trace of it, as a URI. */
import * as vscode from 'vscode';
import * as z from 'zod';

export const taskScheme = 'genenv-task';
export const traceScheme = 'genenv-trace';
export const poolScheme = 'genenv-pool';

const placeSchema = z.object({
  /** Absolute path of the run's folder. */
  run: z.string(),
  /** Id of the task or trace; for a pool, its name. */
  id: z.string(),
  /** For a task, the epoch whose attempts are shown; all epochs when absent. For a pool, the page. */
  at: z.int().nonnegative().optional(),
});
export type DocumentPlace = z.infer<typeof placeSchema>;

/** @param title what the tab says; its folder is the run */
export function uriOf(scheme: string, place: DocumentPlace, title: string): vscode.Uri {
  const run = place.run.split(/[\\/]/).at(-1) ?? '';
  return vscode.Uri.from({ scheme, path: `/${run}/${title.replaceAll('/', '∕')}`, query: JSON.stringify(place) });
}

/** @throws Error for an address that was not made by `uriOf` */
export function placeOf(uri: vscode.Uri): DocumentPlace {
  const read: unknown = JSON.parse(uri.query);
  return placeSchema.parse(read);
}
