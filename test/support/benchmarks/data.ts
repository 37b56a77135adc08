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
