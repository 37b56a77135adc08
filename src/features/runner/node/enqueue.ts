/** From a run, or a study, to work for a queue. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { addressesText, isRemote, serversOf } from '../../../launch/access/address.ts';
import { originOf } from '../../../launch/access/permit.ts';
import type { Manifest } from '../../../runs/store/manifest.ts';
import type { Work } from '../contract.ts';
import { embedded } from '../core/limits.ts';

/** @returns the queue's request for a run */
export const workOf = (
  { id, experiment: { name, endpoints } }: Pick<Manifest, 'id' | 'experiment'>,
  asked: Pick<Work, 'priority' | 'after' | 'retries' | 'author'>,
): Work => ({
  ...asked,
  ...{ run: id, name, addresses: originsOf(Object.values(endpoints)), study: null, member: null, rest: null },
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

function originsOf(endpoints: readonly Manifest['experiment']['endpoints']['agent'][]): string[] {
  const origins = endpoints.flatMap((endpoint) =>
    isRemote(endpoint)
      ? serversOf(endpoint).flatMap(({ url }) => addressesText(url).map((address) => originOf(address.url)))
      : [embedded],
  );
  return [...new Set(origins)];
}
