/** Jobs that a run left on clusters: a pause lets them run, and stopping the paused run stops them too. */
import { EndpointError } from '../../endpoints/endpointError.ts';
import { JobLedger } from '../../endpoints/verl/ledger.ts';
import type { Log } from '../../engine/ports.ts';
import type { VerlEndpoint } from '../../shared/experiment/endpoints/endpoint.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { KeyError, type Keys } from '../access/keys.ts';
import { jobsFile } from './openVerl.ts';
import { clusterOf } from './verlClient.ts';
import type { Role } from './weightFiles.ts';
import { messageOf } from '../../shared/messageOf.ts';

/** A cluster that is away must not keep a person waiting. */
const patience = 30_000;

/** Works with any holder of the run's lease. Failures are reported. @param dir the run's folder */
export async function stopJobs(
  dir: string,
  { endpoints }: Pick<Experiment, 'endpoints'>,
  keys: Keys,
  log: Log,
): Promise<void> {
  await Promise.all(
    (['agent', 'environment'] as const).map(async (role) => {
      const endpoint = endpoints[role];
      if (endpoint.kind === 'verl') await stopNewest(dir, role, endpoint, keys, log);
    }),
  );
}

/** Only the job that was begun last can still run: each waits for the one before it. */
async function stopNewest(dir: string, role: Role, endpoint: VerlEndpoint, keys: Keys, log: Log): Promise<void> {
  const ledger = await JobLedger.open(jobsFile(dir, role));
  const place = ledger.newest;
  if (place === null) return;
  const { launcher } = clusterOf(endpoint, keys);
  const signal = AbortSignal.timeout(patience);
  try {
    const state = (await launcher.status(place, signal))?.state;
    if (state !== 'queued' && state !== 'running') return;
    await launcher.stop(place, signal);
    await ledger.add({ type: 'over', id: place.id, how: 'stopped' });
    log.info(`${launcher.url}: stopped job ${place.id}.`);
  } catch (error) {
    if (!EndpointError.is(error) && !KeyError.is(error) && !signal.aborted) throw error;
    const why = messageOf(error);
    log.warn(`Job ${place.id} could not be stopped and may still run: ${why}`);
  } finally {
    launcher.close();
  }
}
