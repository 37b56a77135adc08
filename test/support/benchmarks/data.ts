import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

/** Where the benchmarks' own files are: as the environment says, else beside the project. */
const root =
  process.env['GENENV_BENCHMARK_DATA'] ?? fileURLToPath(new URL('../../../../shared/benchmarks/data', import.meta.url));

/** A folder of a benchmark's own files; null where nobody put them, and what needs them is skipped. */
export function benchmarkData(benchmark: string): string | null {
  const folder = join(root, benchmark);
  return existsSync(folder) ? folder : null;
}

/** Why what needs them is skipped. */
export const noData = "a benchmark's own files are not there: GENENV_BENCHMARK_DATA names a folder that has them";

/** Where files of our own stand, a few records in the form of each benchmark (small/README.md). */
const small = fileURLToPath(new URL('small', import.meta.url));

/** Folders to look at: ours, which is always there, and the benchmark's own where somebody put it. */
export function benchmarkFolders(benchmark: string): { name: string; folder: string; isSmall: boolean }[] {
  const large = benchmarkData(benchmark);
  return [
    { name: 'small files', folder: join(small, benchmark), isSmall: true },
    ...(large === null ? [] : [{ name: 'the benchmark’s own files', folder: large, isSmall: false }]),
  ];
}
