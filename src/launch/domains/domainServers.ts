/** The OpenEnv servers of an experiment that has no run yet: its domain files are asked for their addresses. */
import { resolve } from 'node:path';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { domainsOf } from '../../shared/experiment/tasks/domains.ts';
import { isOwnDomain } from '../../shared/experiment/tasks/shippedDomains.ts';
import type { Wish } from '../access/wishes.ts';
import { openDomainHost, openenvOf } from './domainFile.ts';

/** @param directory relative names start here. @throws InputError for a file that does not load */
export async function domainServers(
  experiment: Pick<Experiment, 'domain' | 'domains' | 'validation' | 'reward'>,
  directory: string,
  dist: URL,
): Promise<Wish[]> {
  const servers: Wish[] = [];
  for (const { settings } of domainsOf(experiment)) {
    if (!isOwnDomain(settings) || settings.file === null) continue;
    const main = resolve(directory, settings.file);
    const host = await openDomainHost(experiment, main, dist, 1);
    try {
      const served = await openenvOf(host, main);
      if (served !== null) servers.push({ url: served.url, key: served.key });
    } finally {
      host.dispose();
    }
  }
  return servers;
}
