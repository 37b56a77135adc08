import type { WritingAdapter } from '../../benchmarks/adapter/recipe/adapterRecipe.ts';
import type { LoadedFiles } from '../inputs/keptFiles.ts';

export interface LoadedDomain extends LoadedFiles {
  /** Task files that the domain's `seeds` gave, as text; null where the experiment names a file instead. */
  base: string | null;
  heldOut: string | null;
  /** Whose recipe writes its tasks; absent where functions do. */
  adapter?: WritingAdapter;
}
