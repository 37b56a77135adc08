/** `genenv mcp`: a Model Context Protocol server for coding agents, on standard input and output. */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Surroundings } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { warningsTo } from '../../../cli/terminal.ts';
import { UsageError } from '../../../cli/usageError.ts';
import { serveAgents } from '../node/serve.ts';

export async function mcp({ terminal, dist, version, arguments: given }: Surroundings): Promise<ExitCode> {
  const folder = resolve(terminal.cwd, given.text('folder') ?? '.');
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`There is no folder ${folder}.`, 'Name the folder of your experiments with --folder.');
  }
  const root = given.text('root');
  const place = {
    folder,
    root: root === null ? join(folder, '.genenv', 'runs') : resolve(terminal.cwd, root),
    dist,
    mayAct: given.has('may-start'),
    scheme: terminal.env['GENENV_LINKS'] ?? 'vscode',
    version,
    by: given.text('as') ?? 'a coding agent',
    clock: terminal,
    log: { info: () => undefined, warn: warningsTo(terminal) },
  };
  await serveAgents(place, { readOnly: given.has('read-only') });
  return exitCode.done;
}
