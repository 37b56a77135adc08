import type { LoadedFiles } from '../inputs/keptFiles.ts';

export interface LoadedDomain extends LoadedFiles {
  /** Task files that the domain's `seeds` gave, as text; null where the experiment names a file instead. */
  base: string | null;
  heldOut: string | null;
}
