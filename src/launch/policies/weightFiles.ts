/**
 * Weights files that an experiment names instead of the shipped ones. Like task files they are checked before a run is
 * made and kept with it, so that it can be resumed when the originals have moved or changed.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { EmbeddedError } from '../../endpoints/embedded/errors.ts';
import { readHeader } from '../../endpoints/embedded/model/weights.ts';
import type { Problem } from '../../shared/experiment/problems/problem.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { absent, InputError, ofName } from '../inputs/inputError.ts';
import { messageOf } from '../../shared/messageOf.ts';
import { codeOf } from '../../shared/systemError.ts';

export type Role = 'agent' | 'environment';
const roles: readonly Role[] = ['agent', 'environment'];

/** The shipped warm start that an endpoint names; null for a file path. */
export function shippedWeights(weights: string): Role | null {
  return roles.find((role) => role === weights) ?? null;
}

/** The files' bytes, each read through and checked. @throws InputError before anything is made */
export async function loadWeights(experiment: Experiment, directory: string): Promise<Map<Role, Uint8Array>> {
  const files = new Map<Role, Uint8Array>();
  const problems: Problem[] = [];
  for (const role of roles) {
    const endpoint = experiment.endpoints[role];
    if (endpoint.kind !== 'embedded' || shippedWeights(endpoint.weights) !== null) continue;
    const { weights } = endpoint;
    const file = resolve(directory, weights);
    try {
      const bytes = await readFile(file);
      readHeader(bytes, file);
      files.set(role, bytes);
    } catch (error) {
      const why = messageOf(error);
      const field = `endpoints.${role}.weights`;
      const message = error instanceof EmbeddedError ? why : l10n.t('The weights file cannot be read: {0}.', why);
      const remedy = l10n.t('Give "agent", "environment" or the path of a weights file, relative to the experiment.');
      problems.push(codeOf(error) === 'ENOENT' ? absent(file, field) : ofName(file, field, message, remedy));
    }
  }
  if (problems.length > 0) throw new InputError(problems);
  return files;
}

/** Where a run keeps its copy. */
export const keptWeights = (dir: string, role: Role): string => join(dir, 'inputs', `${role}.bin`);

/** Puts the copies into a new run's folder. */
export async function keepWeights(dir: string, files: ReadonlyMap<Role, Uint8Array>): Promise<void> {
  if (files.size > 0) await mkdir(join(dir, 'inputs'), { recursive: true });
  for (const [role, bytes] of files) await writeFile(keptWeights(dir, role), bytes);
}
