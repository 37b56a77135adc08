/** `genenv allow [NAME@]URL`: permits requests to an address, with a key; without an argument it lists the permits. */
import { covers, writtenPermit } from '../../launch/access/permit.ts';
import { consentFile, readConsent, writeConsent } from '../consent/consentFile.ts';
import { permitOf } from '../consent/cliKeys.ts';
import { writeJson, type Surroundings } from '../context.ts';
import { exitCode, type ExitCode } from '../exitCode.ts';
import { UsageError } from '../usageError.ts';

export async function allowCommand({ terminal, arguments: given }: Surroundings): Promise<ExitCode> {
  const path = consentFile(terminal.env);
  const permits = await readConsent(path);
  if (given.target === '') {
    if (given.has('remove')) throw new UsageError('--remove needs an address.', 'Write genenv allow --remove URL.');
    if (given.has('json')) writeJson(terminal, { file: path, allowed: permits });
    else if (permits.length === 0)
      terminal.out.write('Nothing is allowed yet. Allow an address with: genenv allow URL\n');
    else for (const permit of permits) terminal.out.write(`${writtenPermit(permit)}\n`);
    return exitCode.done;
  }
  const permit = permitOf(given.target);
  const others = permits.filter(({ key, origin }) => key !== permit.key || origin !== permit.origin);
  if (given.has('remove')) {
    if (others.length === permits.length) {
      throw new UsageError(`${writtenPermit(permit)} is not allowed.`, 'See what is with: genenv allow');
    }
    await writeConsent(path, others);
    if (given.has('json')) writeJson(terminal, { file: path, allowed: others });
    else terminal.out.write(`${writtenPermit(permit)} is no longer allowed.\n`);
    return exitCode.done;
  }
  const allowed = covers(permits, permit) ? permits : [...others, permit];
  if (allowed !== permits) await writeConsent(path, allowed);
  if (given.has('json')) writeJson(terminal, { file: path, allowed });
  else
    terminal.out.write(
      permit.key === null
        ? `Requests may go to ${permit.origin}.\n`
        : `${permit.key} may be sent to ${permit.origin}, and nowhere else.\n`,
    );
  return exitCode.done;
}
