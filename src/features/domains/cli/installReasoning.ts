/** `genenv install-reasoning`: the Python package of the domain reasoning, in its own environment. */
import { installReasoning, InstallError, reasoningGym } from '../../../launch/domains/reasoningPackage.ts';
import type { Surroundings } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { UsageError } from '../../../cli/usageError.ts';

export async function installReasoningCommand({ terminal, arguments: given }: Surroundings): Promise<ExitCode> {
  const version = given.text('version') ?? reasoningGym.version;
  if (!/^\d+(?:\.\d+){1,3}$/.test(version))
    throw new UsageError(`--version ${version} is no version.`, 'Write one such as 0.1.25.');
  terminal.err.write(`Installing ${reasoningGym.name} ${version}…\n`);
  try {
    terminal.out.write(`${await installReasoning(version)}\n`);
    return exitCode.done;
  } catch (error) {
    if (!(error instanceof InstallError)) throw error;
    terminal.err.write(`${error.message}\n${error.remedy}\n`);
    return exitCode.failed;
  }
}
