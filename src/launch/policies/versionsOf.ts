/** Every version of a run's policies, and whether it can still be sampled. */
import { join } from 'node:path';
import type { CheckpointRef, PolicyVersion } from '../../engine/ports.ts';
import { isThere } from '../../runs/files/isThere.ts';
import { deletedSaves } from '../../runs/journal/deletedSaves.ts';
import type { RunReader } from '../../runs/store/runReader.ts';
import type { Role } from './weightFiles.ts';

export interface KnownVersion {
  role: Role;
  version: PolicyVersion;
  checkpoint: CheckpointRef;
  /** False where its weights were files of the run and are pruned, or a save that was deleted. */
  kept: boolean;
  /** A person deleted its save on the server. */
  deleted: boolean;
}

/** The agent's, then the environment's, each newest first. @throws RunError */
export async function versionsOf(run: RunReader): Promise<KnownVersion[]> {
  const { endpoints } = run.manifest.experiment;
  const gone = deletedSaves(await run.sessions());
  const found: Record<Role, KnownVersion[]> = { agent: [], environment: [] };
  const add = async (role: Role, version: PolicyVersion, checkpoint: CheckpointRef): Promise<void> => {
    const deleted = gone.has(version.handle);
    const kept =
      !deleted &&
      (endpoints[role].kind !== 'embedded' || (await isThere(join(run.dir, 'checkpoints', checkpoint.handle))));
    found[role].unshift({ role, version, checkpoint, kept, deleted });
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
