/** From a run, or a study, to work for a queue. */
import { basename, join } from 'node:path';
import { sha256 } from '../../../runs/files/sha256.ts';
import type { Manifest } from '../../../runs/store/manifest.ts';
import { readLabel } from '../../../runs/store/runLabel.ts';
import { runName } from '../../../runs/store/runName.ts';
import { originsOf } from '../../../shared/experiment/endpoints/origins.ts';
import type { OpenStudy } from '../../study/node/openStudy.ts';
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
  return { ...asked, run: id, name, addresses, study: null, copies: null, member: null, rest: null };
}

/** @returns the queue's request for the whole study, with copies of its texts */
export function workOfStudy(
  { path, study: { name }, texts, inputs }: Pick<OpenStudy, 'path' | 'study' | 'texts' | 'inputs'>,
  asked: Pick<Work, 'priority' | 'after' | 'retries' | 'author'>,
): Work {
  const copies = { ...texts, inputs };
  return { ...asked, run: studyEntry(path), name, addresses: [], study: path, copies, member: null, rest: null };
}

/** The name of a study's entry: one a file. */
function studyEntry(path: string): string {
  const stem = basename(path, '.study.json').replaceAll(/[^A-Za-z0-9_-]/g, '-');
  return `study-${stem}-${sha256(path).slice(0, 8)}`;
}
