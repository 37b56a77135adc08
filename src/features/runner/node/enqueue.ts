/** From a run to work for a queue. */
import { addressesText, isRemote, serversOf } from '../../../launch/access/address.ts';
import { originOf } from '../../../launch/access/permit.ts';
import type { Manifest } from '../../../runs/store/manifest.ts';
import type { Work } from '../contract.ts';
import { embedded } from '../core/limits.ts';

/** @returns what is asked of the queue for a run */
export const workOf = (
  { id, experiment: { name, endpoints } }: Pick<Manifest, 'id' | 'experiment'>,
  asked: Pick<Work, 'priority' | 'after' | 'retries' | 'author'>,
): Work => ({ ...asked, run: id, name, addresses: originsOf(Object.values(endpoints)) });

function originsOf(endpoints: readonly Manifest['experiment']['endpoints']['agent'][]): string[] {
  const origins = endpoints.flatMap((endpoint) =>
    isRemote(endpoint)
      ? serversOf(endpoint).flatMap(({ url }) => addressesText(url).map((address) => originOf(address.url)))
      : [embedded],
  );
  return [...new Set(origins)];
}
