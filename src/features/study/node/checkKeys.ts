/** The keys that runs of a study name are looked up before the first run: a missing one must not end the eighth at night. */
import { dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import { KeyError, type Keys } from '../../../launch/access/keys.ts';
import { wishesOf } from '../../../launch/access/wishes.ts';
import { endedArms } from './endedArms.ts';
import type { OpenStudy } from './openStudy.ts';
import { studyServers } from './studyServers.ts';

/**
 * Of all runs that are not over. Servers that a run can do without are not looked at.
 * @throws KeyError with everything that is missing, InputError for a domain file that does not load
 */
export async function checkKeys(study: OpenStudy, dist: URL, keys: Keys): Promise<void> {
  const { plan, folder, base } = study;
  const ended = endedArms(study);
  const open = plan.members.filter(({ name, arm }) => folder.members.get(name)?.finished == null && !ended.has(arm));
  const faults = new Map<string, KeyError>();
  for (const asking of await studyServers(open, dirname(base), dist)) {
    for (const { key, url } of wishesOf(asking)) {
      try {
        await (key === null ? keys.reach(url) : keys.find(key, url));
      } catch (error) {
        if (!KeyError.is(error)) throw error;
        faults.set(error.message, error);
      }
    }
  }
  const [first, ...others] = faults.values();
  if (first === undefined) return;
  if (others.length === 0) throw first;
  const message = l10n.t('Runs of this study lack {0} keys or consents.', faults.size);
  throw new KeyError(first.reason, message, [...faults.keys()].join(' '));
}
