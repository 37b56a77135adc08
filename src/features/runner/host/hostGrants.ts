/** The grants for a runner, from this editor's secret storage and the user's consents. */
import { dirname } from 'node:path';
import type { HostKeys } from '../../../host/servers/hostKeys.ts';
import { tracesSettings } from '../../../host/servers/tracesSettings.ts';
import { KeyError, type Keys } from '../../../launch/access/keys.ts';
import type { Asking } from '../../../launch/access/wishes.ts';
import { InputError } from '../../../launch/inputs/inputError.ts';
import { originOf } from '../../../shared/experiment/endpoints/origins.ts';
import { RunError } from '../../../runs/store/runError.ts';
import type { RunStore } from '../../../runs/store/runStore.ts';
import type { Grant, Work } from '../contract.ts';

/** Asks the user for missing keys; refused ones are left out, and the run waits for them. */
export const grantsAsked = (asking: Asking, keys: HostKeys): Promise<Grant[]> => grantsFrom(asking, keys);

/** Without questions: earlier consents, and stored keys. */
export async function grantsKept(store: RunStore, run: string, keys: HostKeys): Promise<Grant[]> {
  try {
    const reader = await store.openReader(run);
    await reader.close();
    return await grantsFrom(reader.manifest, keys.quiet);
  } catch (error) {
    // The runner reports the run's fault.
    if (RunError.is(error)) return [];
    throw error;
  }
}

/** The same for all runs of a study; its own process reports a faulty one. */
export async function grantsOfStudy(
  path: string,
  copies: Work['copies'],
  { dist, keys }: { dist: URL; keys: HostKeys },
): Promise<Grant[]> {
  const [{ openStudy }, { studyServers }] = await Promise.all([
    import('../../study/node/openStudy.ts'),
    import('../../study/node/studyServers.ts'),
  ]);
  try {
    const { plan, base } = await openStudy(dirname(path), path, undefined, copies);
    const all = await studyServers(plan.members, dirname(base), dist);
    const grants = await Promise.all(all.map((asking) => grantsFrom(asking, keys.quiet)));
    return grants.flat();
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
}

async function grantsFrom(asking: Asking, keys: Keys): Promise<Grant[]> {
  const [{ niceToHave, wishesOf }, { tracesWish }] = await Promise.all([
    import('../../../launch/access/wishes.ts'),
    import('../node/grants.ts'),
  ]);
  const grants: Grant[] = [];
  for (const { key, url } of [...wishesOf(asking), ...niceToHave(asking), ...tracesWish(tracesSettings())]) {
    try {
      const origin = originOf(url);
      if (key !== null) grants.push({ key, origin, value: await keys.find(key, url) });
      else {
        await keys.reach(url);
        grants.push({ key, origin, value: '' });
      }
    } catch (error) {
      if (!KeyError.is(error)) throw error;
    }
  }
  return grants;
}
