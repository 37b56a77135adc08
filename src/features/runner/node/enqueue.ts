/** From a run, or a study, to work for a queue. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Manifest } from '../../../runs/store/manifest.ts';
import { originsOf } from '../../../shared/experiment/endpoints/origins.ts';
import type { Work } from '../contract.ts';

/** @returns the queue's request for a run */
export const workOf = (
  { id, experiment: { name, endpoints } }: Pick<Manifest, 'id' | 'experiment'>,
  asked: Pick<Work, 'priority' | 'after' | 'retries' | 'author'>,
): Work => ({
  ...asked,
  ...{ run: id, name, study: null, member: null, rest: null },
  addresses: [...new Set([endpoints.agent, endpoints.environment].flatMap(originsOf))],
});

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
