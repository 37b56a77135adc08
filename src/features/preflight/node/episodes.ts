/** Whether OpenEnv servers that domain files name can play: the doctor's visit, as words and findings of a check. */
import { domainsOf, withDomain } from '../../../shared/experiment/tasks/domains.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { Finding } from '../contract.ts';
import { openenvOfExperiment, visitOpenenv } from '../../../launch/domains/doctorOpenenv.ts';
import type { ServerNeeds } from '../../../launch/domains/openenv.ts';

type Facts = Pick<Finding, 'severity' | 'message' | 'remedy' | 'field'>;

export interface Episodes {
  /** A sentence for each server. */
  words: string[];
  findings: Facts[];
}

/** None where no domain file names a server. @throws InputError for a file that does not load, KeyError */
export async function episodeServers(
  experiment: Experiment,
  { directory, dist, ...needs }: ServerNeeds & { directory: string; dist: URL },
): Promise<Episodes> {
  const all: Episodes = { words: [], findings: [] };
  for (const part of domainsOf(experiment)) {
    const [visit] = await openenvOfExperiment(withDomain(experiment, part), directory, dist);
    if (visit === undefined) continue;
    const field = `${part.field}.file`;
    const told = new Map<string, string>();
    for await (const { title, mark, evidence, meaning } of visitOpenenv(visit, needs)) {
      told.set(title, evidence);
      if (mark === 'yes' || quiet.has(title)) continue;
      // Attempts that wait for each other are slow, and no fault.
      const severity = mark === 'no' && title !== 'Sessions' ? 'error' : 'warning';
      all.findings.push({ severity, message: `${visit.subject}: ${evidence}`, remedy: meaning, field });
    }
    const said = shown.flatMap((title) => told.get(title) ?? []);
    all.words.push([`${visit.subject}.`, ...said].join(' '));
  }
  return all;
}

/** Lines of a successful visit that are in the sentence. */
const shown: readonly string[] = ['Name', 'Actions', 'Tools', 'Sessions'];

/** Optional capabilities of a server. */
const quiet: ReadonlySet<string> = new Set(['Name', 'Actions', 'Observations']);
