/** The servers that the runs of a study ask, before any of them is made. */
import { domainServers } from '../../../launch/domains/domainServers.ts';
import { byServers, type Asking } from '../../../launch/access/wishes.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';

/**
 * The runs that each ask other servers or keys.
 * @param directory relative names start here. @throws InputError for a domain file that does not load
 */
export async function studyServers<M extends { experiment: Experiment }>(
  members: readonly M[],
  directory: string,
  dist: URL,
): Promise<(M & Asking)[]> {
  const known = new Map<string, Asking['servers']>();
  const all: (M & Asking)[] = [];
  for (const member of members) {
    const { domain, domains } = member.experiment;
    const files = JSON.stringify([domain.file, domains?.map(({ file }) => file)]);
    const servers = known.get(files) ?? (await domainServers(member.experiment, directory, dist));
    known.set(files, servers);
    all.push({ ...member, servers });
  }
  return byServers(all);
}
