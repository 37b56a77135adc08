/** How a run's domain words the prompts that its agent reads, without starting a program of the run. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Posing } from '../../runs/export/prompts.ts';
import type { RunReader } from '../../runs/store/runReader.ts';
import { domainsOf } from '../../shared/experiment/tasks/domains.ts';
import { isProgram } from '../../shared/experiment/tasks/shippedDomains.ts';
import { InputError } from '../inputs/inputError.ts';
import { domainFolder, readKeptFiles } from '../inputs/keptFiles.ts';
import { domainOf } from './openDomain.ts';

/** Names by which a domain file words prompts: its own function, or the one recipe that has one. */
const words = /agentPrompt|["']stories["']/;

/** Null for tasks of a domain file that words prompts itself. @throws InputError */
export async function posingOf(run: Pick<RunReader, 'dir' | 'manifest'>): Promise<Posing> {
  const { dir, manifest } = run;
  const { domain } = await domainOf(run);
  if (manifest.imported !== null) return (task) => domain.agentPrompt(task);
  const { experiment } = manifest;
  const unknown = new Set<string>();
  for (const part of domainsOf(experiment)) {
    if (!isProgram(part.settings)) continue;
    if (await mayPose(dir, domainFolder(experiment, part))) unknown.add(part.name);
  }
  const [only] = experiment.domains === undefined ? domainsOf(experiment) : [];
  return (task) => (unknown.has(task.domain ?? only?.name ?? '') ? null : domain.agentPrompt(task));
}

/** Whether the run's copy of a domain file may word prompts; true where it cannot be read. */
async function mayPose(dir: string, folder: string): Promise<boolean> {
  try {
    const { files } = await readKeptFiles(dir, 'domain', folder);
    const texts = Object.keys(files).map((path) => readFile(join(dir, folder, 'domain', path), 'utf8'));
    return (await Promise.all(texts)).some((text) => words.test(text));
  } catch (error) {
    if (error instanceof InputError) return true;
    throw error;
  }
}
