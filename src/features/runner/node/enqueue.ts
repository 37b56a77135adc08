/** From a run, or a study, to work for a queue. */
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import type { Manifest } from '../../../runs/store/manifest.ts';
import { readLabel } from '../../../runs/store/runLabel.ts';
import { runName } from '../../../runs/store/runName.ts';
import { originsOf } from '../../../shared/experiment/endpoints/origins.ts';
import type { Work } from '../contract.ts';

/** @param root the folder of the runs @returns the queue's request for a run, by the name that lists show */
export async function workOf(
  root: string,
  manifest: Pick<Manifest, 'id' | 'experiment'>,
  asked: Pick<Work, 'priority' | 'after' | 'retries' | 'author'>,
): Promise<Work> {
  const { id, experiment } = manifest;
  const { agent, environment } = experiment.endpoints;
  const name = runName(await readLabel(join(root, id)), manifest);
  const addresses = [...new Set([agent, environment].flatMap(originsOf))];
  return { ...asked, run: id, name, addresses, study: null, member: null, rest: null };
}

/** @param path the study's file, absolute @returns the queue's request for the whole study */
export function workOfStudy(
  path: string,
  name: string,
  asked: Pick<Work, 'priority' | 'after' | 'retries' | 'author'>,
): Work {
  return { ...asked, run: studyEntry(path), name, addresses: [], study: path, member: null, rest: null };
}

/** The name of a study's entry: one a file. */
export function studyEntry(path: string): string {
  const stem = basename(path, '.study.json').replaceAll(/[^A-Za-z0-9_-]/g, '-');
  return `study-${stem}-${createHash('sha256').update(path).digest('hex').slice(0, 8)}`;
}
