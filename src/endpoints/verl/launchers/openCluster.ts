/** From an endpoint's address to where its jobs run and how its files are reached. */
import { NodeHttpClient, type HttpClientOptions } from '../../http/nodeHttpClient.ts';
import type { VerlEndpoint } from '../../../shared/experiment/endpoints/endpoint.ts';
import type { Time } from '../../time.ts';
import type { Cluster } from '../jobSupervision.ts';
import { MountedFiles } from '../files/jobFiles.ts';
import { RayLauncher } from './rayLauncher.ts';
import { LocalShell, SshShell, type Shell } from './shell.ts';
import { ShellFiles } from './shellFiles.ts';
import { ShellLauncher } from './shellLauncher.ts';

/** `proof`: headers that a Ray cluster asks for; called before anything is sent to any cluster. */
export interface ClusterOptions extends Pick<HttpClientOptions, 'onTrouble' | 'silences' | 'tries'> {
  time: Time;
  proof: () => Promise<Readonly<Record<string, string>>>;
}

export function openCluster(
  { url, workdir, mount }: Pick<VerlEndpoint, 'url' | 'workdir' | 'mount'>,
  { time, proof, ...options }: ClusterOptions,
): Pick<Cluster, 'launcher' | 'files'> {
  const mounted = new MountedFiles(workdir, mount ?? workdir);
  if (url === 'local:') return { launcher: new ShellLauncher(new LocalShell(time), workdir), files: mounted };
  if (url.startsWith('ssh:')) {
    const shell = allowed(new SshShell(url, time), proof);
    return { launcher: new ShellLauncher(shell, workdir), files: mount === null ? new ShellFiles(shell) : mounted };
  }
  const http = new NodeHttpClient({ url, time, credentials: proof, ...options });
  return { launcher: new RayLauncher(http, time), files: mounted };
}

/** Connects only where a person has allowed it. */
const allowed = (shell: Shell, proof: ClusterOptions['proof']): Shell => ({
  url: shell.url,
  run: async (...given) => {
    await proof();
    return shell.run(...given);
  },
});
