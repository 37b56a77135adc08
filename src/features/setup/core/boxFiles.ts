/** Every file of a GPU machine's folder. */
import * as l10n from '@vscode/l10n';
import { SetupError, type BoxChoice, type BoxFile } from '../contract.ts';
import { checkScript } from './checkScript.ts';
import { experimentFile } from './experimentFile.ts';
import { installFiles } from './installScript.ts';
import { placeServers, type Server } from './place.ts';
import { slurmScript, tunnelScript } from './reach.ts';
import { readme } from './readme.ts';
import { startScript, stopScript } from './startScript.ts';

/** @throws SetupError where the choices do not fit together */
export function boxFiles(choice: BoxChoice): BoxFile[] {
  refuseUnsafe(choice);
  const servers = placeServers(choice);
  const always = [readme(choice, servers), experimentFile(choice, servers)];
  if (servers.length === 0) return always;
  return [
    ...always,
    ...installFiles(choice, servers),
    startScript(choice, servers),
    checkScript(servers),
    stopScript(servers),
    ...servers.flatMap(configOf),
    ...(choice.slurm ? [slurmScript(choice)] : []),
    ...(choice.host === null ? [] : [tunnelScript(choice.host, servers)]),
  ];
}

const configOf = (server: Server): BoxFile[] =>
  server.kind === 'skyrl'
    ? [{ path: `${server.name}.json`, executable: false, text: `${JSON.stringify(server.config, null, 2)}\n` }]
    : [];

/**
 * The model and the host are part of commands: neither may look like an option, or contain characters that names cannot
 * have.
 */
function refuseUnsafe({ model, host, memory }: BoxChoice): void {
  if (!/^[\w./~][\w./~-]*$/.test(model))
    throw new SetupError(
      l10n.t('“{0}” is no name of a model.', model),
      l10n.t('Write it as on the hub: Qwen/Qwen2.5-7B-Instruct.'),
    );
  if (host !== null && !/^[\w.][\w.@-]*$/.test(host))
    throw new SetupError(
      l10n.t('“{0}” is no destination of ssh.', host),
      l10n.t('Write you@gpu-machine, or a name of your ssh configuration.'),
    );
  if (!(memory >= 4 && memory <= 1000))
    throw new SetupError(
      l10n.t('{0} GB is no memory of a GPU.', memory),
      l10n.t('Say how much one of them has: --memory 80.'),
    );
}
