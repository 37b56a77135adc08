import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

/** Where the benchmarks' own files are: as the environment says, else beside the project. */
const root =
  process.env['GENENV_BENCHMARK_DATA'] ?? fileURLToPath(new URL('../../../../shared/benchmarks/data', import.meta.url));

/** Why nothing is tested over them. */
export const noData = "the benchmarks' own files are not there: GENENV_BENCHMARK_DATA names a folder that has them";

/** A folder of files of our own, a few records in the form of a benchmark (small/README.md). */
export const smallFiles = (benchmark: string): string => fileURLToPath(new URL(`small/${benchmark}`, import.meta.url));

/** Folders to check: ours, which always exists, and the benchmark's own where it is installed. */
export function benchmarkFolders(benchmark: string): { name: string; folder: string; isSmall: boolean }[] {
  const large = join(root, benchmark);
  return [
    { name: 'small files', folder: smallFiles(benchmark), isSmall: true },
    ...(existsSync(large) ? [{ name: 'the benchmark’s own files', folder: large, isSmall: false }] : []),
  ];
}
