/** Connects to a cluster that trains by jobs: its launcher with its key, and its files. */
import type { HttpClientOptions } from '../../endpoints/http/nodeHttpClient.ts';
import { machineTime } from '../../endpoints/time.ts';
import type { Cluster } from '../../endpoints/verl/jobSupervision.ts';
import type { Launcher } from '../../endpoints/verl/launchers/launcher.ts';
import { openCluster } from '../../endpoints/verl/launchers/openCluster.ts';
import type { VerlEndpoint } from '../../shared/experiment/endpoints/endpoint.ts';
import { authorization, proofFor, type Keys } from '../access/keys.ts';

/** The key is looked up with the first request. */
export function clusterOf(
  { key, ...place }: Pick<VerlEndpoint, 'url' | 'key' | 'workdir' | 'mount'>,
  keys: Keys,
  { time = machineTime, ...options }: Pick<HttpClientOptions, 'time' | 'onTrouble' | 'silences' | 'tries'> = {},
): Pick<Cluster, 'launcher' | 'files'> {
  return openCluster(place, { time, proof: proofFor(keys, { key, url: place.url }, authorization), ...options });
}

/** Only for the status of a Ray cluster. */
export const launcherAt = ({ url, key }: Pick<VerlEndpoint, 'url' | 'key'>, keys: Keys): Launcher =>
  clusterOf({ url, key, workdir: '', mount: null }, keys).launcher;
