/** A copy of a run in which traces say something else. */
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { GenEnvApi } from '../../../src/extension.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { traceSchema, type Trace } from '../../../src/shared/records/trace.ts';

/** @param edit what takes a trace's place; null leaves it as it is */
export async function editedRun(
  parts: GenEnvApi,
  run: RunDir,
  name: string,
  edit: (trace: Trace) => Partial<Trace> | null,
): Promise<RunDir> {
  const dir = join(dirname(run), name);
  await cp(run, dir, { recursive: true });
  const manifest = join(dir, 'run.json');
  await writeFile(manifest, (await readFile(manifest, 'utf8')).replaceAll(basename(run), name));
  await rm(join(dir, 'index'), { recursive: true, force: true });
  const file = join(dir, 'traces.jsonl');
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const edited = lines.map((line) => {
    const trace = traceSchema.parse(JSON.parse(line));
    const more = edit(trace);
    return more === null ? line : JSON.stringify({ ...trace, ...more });
  });
  await writeFile(file, `${edited.join('\n')}\n`);
  await parts.catalog.refresh();
  return dir;
}
