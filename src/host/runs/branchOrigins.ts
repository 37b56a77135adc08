/** Which experiment files are drafts of a branch: of which run, after which epoch. Kept by the workspace, not in the file. */
import type * as vscode from 'vscode';
import * as z from 'zod';

const key = 'genenv.branchOrigins';
/** Newer drafts push out older ones. */
const most = 100;

const originSchema = z.object({
  /** Absolute path of the run's folder. */
  run: z.string(),
  /** The last epoch that the branch shares. */
  epoch: z.int(),
  /** A reward that counts by its file of now, also under its old name; null for none. */
  reward: z.string().nullable(),
});
export type BranchOrigin = z.infer<typeof originSchema>;

const keptSchema = z.array(z.tuple([z.string(), originSchema])).catch([]);

const kept = (memory: vscode.Memento) => keptSchema.parse(memory.get(key));

/** @param file path of an experiment. @returns null for one that is no draft of a branch */
export const originOf = (memory: vscode.Memento, file: string): BranchOrigin | null =>
  kept(memory).find(([path]) => path === file)?.[1] ?? null;

export async function keepOrigin(memory: vscode.Memento, file: string, origin: BranchOrigin): Promise<void> {
  const others = kept(memory).filter(([path]) => path !== file);
  await memory.update(key, [[file, origin], ...others].slice(0, most));
}
