/** `genenv copy-domain NAME`: a domain that ships as files here, to be edited. */
import { relative, resolve } from 'node:path';
import { copiedDomains, copyDomain } from '../node/copyDomain.ts';
import { codeOf } from '../../../shared/systemError.ts';
import type { Surroundings } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { UsageError } from '../../../cli/usageError.ts';

export async function copyDomainCommand({ terminal, arguments: given, dist }: Surroundings): Promise<ExitCode> {
  const name = given.target;
  if (!copiedDomains.includes(name))
    throw new UsageError(`“${name}” is no domain that can be copied.`, `Name one of ${copiedDomains.join(', ')}.`);
  const folder = resolve(terminal.cwd, given.text('out') ?? '.');
  try {
    for (const path of await copyDomain(name, folder, dist)) terminal.out.write(`${relative(terminal.cwd, path)}\n`);
    return exitCode.done;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    terminal.err.write(
      `A file of this domain is there already, and was left as it is. Name another folder with --out.\n`,
    );
    return exitCode.badInput;
  }
}
