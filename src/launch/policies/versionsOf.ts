/** Every version of a run's policies, and whether it can still be sampled. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckpointRef, PolicyVersion } from '../../engine/ports.ts';
import type { RunReader } from '../../runs/store/runReader.ts';
import type { Role } from './weightFiles.ts';

export interface KnownVersion {
  role: Role;
  version: PolicyVersion;
  checkpoint: CheckpointRef;
  /** False where its weights were files of the run and are pruned; servers answer for themselves. */
  kept: boolean;
}

/** The agent's, then the environment's, each newest first. @throws RunError */
export async function versionsOf(run: RunReader): Promise<KnownVersion[]> {
  const { endpoints } = run.manifest.experiment;
  const found: Record<Role, KnownVersion[]> = { agent: [], environment: [] };
  const add = async (role: Role, version: PolicyVersion, checkpoint: CheckpointRef): Promise<void> => {
    const kept =
      endpoints[role].kind !== 'embedded' || (await isThere(join(run.dir, 'checkpoints', checkpoint.handle)));
    found[role].unshift({ role, version, checkpoint, kept });
  };
  for await (const event of run.events()) {
    if (event.type === 'run.started') {
      await add('agent', event.agent, event.checkpoints.agent);
      await add('environment', event.environment, event.checkpoints.environment);
    } else if (event.type === 'agent.updated') await add('agent', event.version, event.checkpoint);
    else if (event.type === 'environment.updated') await add('environment', event.version, event.checkpoint);
  }
  return [...found.agent, ...found.environment];
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
