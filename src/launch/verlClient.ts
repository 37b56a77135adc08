/** What it takes to talk to a cluster that trains by jobs: its launcher with its key, and its files. */
import type { HttpClientOptions } from '../backends/http/nodeHttpClient.ts';
import { machineTime } from '../backends/time.ts';
import type { Cluster } from '../backends/verl/jobSupervision.ts';
import type { Launcher } from '../backends/verl/launcher.ts';
import { openCluster } from '../backends/verl/openCluster.ts';
import type { VerlEndpoint } from '../shared/experiment/endpoint.ts';
import { authorization, proofFor, type Keys } from './keys.ts';

/** The key is looked up with the first request. */
export function clusterOf(
  { key, ...place }: Pick<VerlEndpoint, 'url' | 'key' | 'workdir' | 'mount'>,
  keys: Keys,
  { time = machineTime, ...options }: Pick<HttpClientOptions, 'time' | 'onTrouble'> = {},
): Pick<Cluster, 'launcher' | 'files'> {
  return openCluster(place, { time, proof: proofFor(keys, { key, url: place.url }, authorization), ...options });
}

/** For whoever only asks how a Ray cluster is. */
export const launcherAt = ({ url, key }: Pick<VerlEndpoint, 'url' | 'key'>, keys: Keys): Launcher =>
  clusterOf({ url, key, workdir: '', mount: null }, keys).launcher;
