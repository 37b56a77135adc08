/** `genenv setup DIR`: a folder that brings up servers on a machine with GPUs, and an experiment that uses them. */
import { relative, resolve } from 'node:path';
import type { Arguments } from '../../../cli/commandLine.ts';
import { writeJson, type Surroundings } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { UsageError } from '../../../cli/usageError.ts';
import { SetupError, serverKinds, type BoxChoice, type ServerKind } from '../contract.ts';
import { boxFiles } from '../core/boxFiles.ts';
import { findGpus } from '../node/findGpus.ts';
import { writeBox } from '../node/writeBox.ts';

export async function setupCommand({ terminal, arguments: given }: Surroundings): Promise<ExitCode> {
  const folder = resolve(terminal.cwd, given.target === '' ? 'gpu-box' : given.target);
  try {
    const choice = await choiceOf(given);
    const paths = await writeBox(folder, boxFiles(choice));
    const named = paths.map((path) => relative(terminal.cwd, path));
    if (given.has('json')) writeJson(terminal, { ...choice, files: named });
    else {
      for (const path of named) terminal.out.write(`${path}\n`);
      terminal.err.write(`Next: read ${named.find((path) => path.endsWith('README.md')) ?? ''}.\n`);
    }
    return exitCode.done;
  } catch (error) {
    if (error instanceof SetupError) throw new UsageError(error.message, error.remedy);
    throw error;
  }
}

/** @throws UsageError, SetupError */
async function choiceOf(given: Arguments): Promise<BoxChoice> {
  const host = given.text('host');
  const wanted = given.text('servers');
  const chosen = serverKinds.find((kind) => kind === wanted);
  if (wanted !== null && chosen === undefined)
    throw new UsageError(`“${wanted}” is no kind of servers.`, `Write one of ${serverKinds.join(', ')}.`);
  const [gpus, memory] = [given.count('gpus'), given.count('memory')];
  const isHosted = chosen === 'tinker';
  const found = isHosted || (gpus !== null && memory !== null) ? null : await findGpus(host);
  const count = gpus ?? found?.count ?? 1;
  return {
    servers: chosen ?? usualServers(count),
    gpus: count,
    memory: memory ?? found?.memory ?? 80,
    model: given.text('model') ?? (isHosted ? 'Qwen/Qwen3-8B' : 'Qwen/Qwen2.5-7B-Instruct'),
    parameters: billions(given.text('parameters')),
    host,
    slurm: given.has('slurm'),
    name: given.text('name') ?? 'gpu box',
  };
}

/** Both policies are trained where there are GPUs for two servers. */
const usualServers = (gpus: number): ServerKind => (gpus > 1 ? 'skyrl' : 'frozen');

/** @throws UsageError */
function billions(text: string | null): number | null {
  if (text === null) return null;
  if (!/^\d{1,4}(\.\d{1,3})?$/.test(text) || Number(text) === 0)
    throw new UsageError(`--parameters wants billions, as 7 or 0.6, not “${text}”.`, '');
  return Number(text);
}
