import { givenTasks } from '../../launch/openDomain.ts';
import { agentPool } from '../../runs/export/agentPool.ts';
import { environmentPool } from '../../runs/export/environmentPool.ts';
import { exportFile } from '../../runs/export/exportFile.ts';
import { writeJsonLines } from '../../runs/export/writeJsonLines.ts';
import type { RunReader } from '../../runs/runReader.ts';
import { nearest } from '../../shared/experiment/nearest.ts';
import { codeOf } from '../../shared/systemError.ts';
import { writeJson, type Context } from '../context.ts';
import { exitCode, type ExitCode } from '../exitCode.ts';
import { outFile } from '../outFile.ts';
import { plural } from '../text/numbers.ts';
import { UsageError } from '../usageError.ts';

const pools = ['agent', 'environment'] as const;
type Pool = (typeof pools)[number];

/** `genenv export RUN --pool NAME`. */
export async function exportPool(context: Context): Promise<ExitCode> {
  const { store, terminal, arguments: given } = context;
  const pool = poolNamed(given.text('pool'));
  const out = given.text('out');
  if (out === null && given.has('json')) {
    throw new UsageError('--json would mix with the lines on standard output.', 'Give --out FILE as well.');
  }
  const reader = await store.openReader(given.target);
  try {
    const lines = await linesOf(reader, pool);
    if (out === null) {
      await writeToPipe(lines);
      return exitCode.done;
    }
    const file = await outFile(terminal.cwd, out);
    const count = await exportFile(lines, file);
    if (given.has('json')) writeJson(terminal, { id: reader.id, pool, file, lines: count });
    else terminal.out.write(`${plural(count, 'line')} of the ${pool} pool in ${file}\n`);
    return exitCode.done;
  } finally {
    await reader.close();
  }
}

function poolNamed(name: string | null): Pool {
  const pool = pools.find((one) => one === name);
  if (pool !== undefined) return pool;
  const near = name === null ? null : nearest(name, pools);
  throw new UsageError(
    name === null ? '"genenv export" needs --pool NAME.' : `There is no pool "${name}".`,
    near === null ? 'NAME is agent or environment.' : `Did you mean --pool ${near}?`,
  );
}

async function linesOf(reader: RunReader, pool: Pool): Promise<AsyncIterable<unknown>> {
  if (pool === 'environment') return environmentPool(reader);
  return agentPool(reader, await givenTasks(reader.dir, reader.manifest.experiment));
}

/** To standard output. A reader that has enough (`| head`) ends it, and that is no failure. */
async function writeToPipe(lines: AsyncIterable<unknown>): Promise<void> {
  try {
    await writeJsonLines(lines, process.stdout);
  } catch (error) {
    if (codeOf(error) !== 'EPIPE') throw error;
  }
}
