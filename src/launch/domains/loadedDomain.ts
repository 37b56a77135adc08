import type { WritingAdapter } from '../../benchmarks/adapter/recipe/adapterRecipe.ts';
import type { Wish } from '../access/wishes.ts';
import type { LoadedFiles } from '../inputs/keptFiles.ts';
import type { ProgramTasks } from '../inputs/programTasks.ts';

export interface LoadedDomain extends LoadedFiles {
  /** Null where the experiment names a task file instead. */
  base: ProgramTasks | null;
  heldOut: ProgramTasks | null;
  /** The OpenEnv server that plays its episodes; null where none does. */
  server: Wish | null;
  /** Whose recipe writes its tasks; absent where functions do. */
  adapter?: WritingAdapter;
}
