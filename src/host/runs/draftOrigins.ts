/** Which experiment files were made from a run, to branch or to rerun it. Kept by the workspace, not in the file. */
import type * as vscode from 'vscode';
import * as z from 'zod';

const key = 'genenv.branchOrigins';
/** Newer drafts push out older ones. */
const most = 100;

const originSchema = z.object({
  /** Absolute path of the run's folder. */
  run: z.string(),
  /** The last epoch that the branch shares; null for a rerun, which shares none. */
  epoch: z.int().nullable(),
  /** A reward that counts by its file of now, also under its old name; null for none. */
  reward: z.string().nullable(),
});
export type DraftOrigin = z.infer<typeof originSchema>;

const keptSchema = z.array(z.tuple([z.string(), originSchema])).catch([]);

const kept = (memory: vscode.Memento) => keptSchema.parse(memory.get(key));

/** @param file path of an experiment. @returns null for one that was not made from a run */
export const originOf = (memory: vscode.Memento, file: string): DraftOrigin | null =>
  kept(memory).find(([path]) => path === file)?.[1] ?? null;

export async function keepOrigin(memory: vscode.Memento, file: string, origin: DraftOrigin): Promise<void> {
  const others = kept(memory).filter(([path]) => path !== file);
  await memory.update(key, [[file, origin], ...others].slice(0, most));
}
