/** From an endpoint's address to where its jobs run and how its files are reached. */
import { NodeHttpClient, type HttpClientOptions } from '../http/nodeHttpClient.ts';
import type { VerlEndpoint } from '../../shared/experiment/endpoint.ts';
import type { Time } from '../time.ts';
import type { Cluster } from './attendance.ts';
import { MountedFiles } from './jobFiles.ts';
import { RayLauncher } from './rayLauncher.ts';
import { LocalShell, SshShell } from './shell.ts';
import { ShellFiles } from './shellFiles.ts';
import { ShellLauncher } from './shellLauncher.ts';

/** `token`: of a Ray cluster that asks for one; looked up with the first request. */
export interface ClusterOptions extends Pick<HttpClientOptions, 'onTrouble'> {
  time: Time;
  token: ((again: boolean) => Promise<string>) | null;
}

export function openCluster(
  { url, workdir, mount }: Pick<VerlEndpoint, 'url' | 'workdir' | 'mount'>,
  { time, token, ...options }: ClusterOptions,
): Pick<Cluster, 'launcher' | 'files'> {
  const mounted = new MountedFiles(workdir, mount ?? workdir);
  if (url === 'local:') return { launcher: new ShellLauncher(new LocalShell(time), workdir), files: mounted };
  if (url.startsWith('ssh:')) {
    const shell = new SshShell(url, time);
    return { launcher: new ShellLauncher(shell, workdir), files: mount === null ? new ShellFiles(shell) : mounted };
  }
  const http = new NodeHttpClient({
    ...{ url, time, ...options },
    ...(token === null ? {} : { credentials: async (again) => ({ authorization: `Bearer ${await token(again)}` }) }),
  });
  return { launcher: new RayLauncher(http, time), files: mounted };
}
