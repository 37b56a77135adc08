/** The saves of a run on Tinker servers, and which other runs of its folder need them. */
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { HttpClient } from '../../../endpoints/http/httpClient.ts';
import { machineTime } from '../../../endpoints/time.ts';
import { Ledger } from '../../../endpoints/tinker/ledger.ts';
import { savePlace, savesOf, type SavePlace, type ServerSave } from '../../../endpoints/tinker/saves.ts';
import type { Keys } from '../../../launch/access/keys.ts';
import { tinkerClient } from '../../../launch/policies/tinkerClient.ts';
import { versionsOf } from '../../../launch/policies/versionsOf.ts';
import { deletedSaves } from '../../../runs/journal/deletedSaves.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import type { RunStore } from '../../../runs/store/runStore.ts';
import type { TinkerEndpoint } from '../../../shared/experiment/endpoints/endpoint.ts';
import { SavesError } from './savesError.ts';

const roles = ['agent', 'environment'] as const;
export type Role = (typeof roles)[number];

export interface RunSave extends ServerSave {
  role: Role;
  place: SavePlace;
  /** Names of other runs of the folder that need it. */
  neededBy: readonly string[];
}

export interface RunSaves {
  /** Those that are on their servers. */
  saves: readonly RunSave[];
  /** How many were deleted before. */
  deleted: number;
  /** Ids of folders that cannot be read, and so may need any of them. */
  unread: readonly string[];
}

export interface SavesTools {
  keys: Keys;
  signal: AbortSignal;
}

/** @throws SavesError `none`, RunError, EndpointError */
export async function runSaves(store: RunStore, run: RunReader, { keys, signal }: SavesTools): Promise<RunSaves> {
  const deleted = deletedSaves(await run.sessions());
  const recorded = await recordedBy(run);
  const { needed, unread } = await neededElsewhere(store, run);
  const saves: RunSave[] = [];
  for (const [role, endpoint] of tinkerPolicies(run)) {
    await withClient(endpoint, keys, async (http) => {
      const own = new Set([...recorded[role]].filter((handle) => !deleted.has(handle)));
      const models = new Set([...own].flatMap((handle) => savePlace(handle)?.model ?? []));
      for (const model of models) {
        for (const save of await savesOf(http, model, signal)) {
          const place = savePlace(save.handle);
          if (place === null || !own.has(save.handle)) continue;
          saves.push({ ...save, role, place, neededBy: needed.get(save.handle) ?? [] });
        }
      }
    });
  }
  return { saves, deleted: deleted.size, unread };
}

/** The run's policies that live on Tinker servers. @throws SavesError `none` */
export function tinkerPolicies({ id, manifest }: RunReader): [Role, TinkerEndpoint][] {
  const { endpoints } = manifest.experiment;
  const found = roles.flatMap((role): [Role, TinkerEndpoint][] => {
    const endpoint = endpoints[role];
    return endpoint.kind === 'tinker' ? [[role, endpoint]] : [];
  });
  if (found.length > 0 && manifest.imported === null) return found;
  throw new SavesError(
    'none',
    l10n.t('{0} has no policy on a Tinker server.', id),
    l10n.t('What it saved lies in its folder: delete the run to delete it.'),
  );
}

export async function withClient<T>(
  endpoint: TinkerEndpoint,
  keys: Keys,
  use: (http: HttpClient) => Promise<T>,
): Promise<T> {
  const http = tinkerClient(endpoint, keys, { time: machineTime });
  try {
    return await use(http);
  } finally {
    http.close();
  }
}

/** The addresses of what each policy saved: as the journal has them, and as its ledger does from before a crash. */
async function recordedBy(run: RunReader): Promise<Record<Role, Set<string>>> {
  const found: Record<Role, Set<string>> = { agent: new Set(), environment: new Set() };
  for (const { role, version, checkpoint } of await versionsOf(run)) {
    found[role].add(version.handle).add(checkpoint.handle);
  }
  for (const role of roles) {
    const ledger = await Ledger.open(join(run.dir, 'endpoints', `tinker-${role}.jsonl`));
    for (const handle of ledger.saves) found[role].add(handle);
  }
  return found;
}

/** Branches continue from saves of the run that they share epochs with. */
async function neededElsewhere(
  store: RunStore,
  run: RunReader,
): Promise<{ needed: ReadonlyMap<string, string[]>; unread: string[] }> {
  const { runs, problems } = await store.scan();
  const needed = new Map<string, string[]>();
  for (const { id, name, endpoints } of runs) {
    if (id === run.id || !roles.some((role) => endpoints[role].kind === 'tinker')) continue;
    const other = await store.openReader(id);
    try {
      const handles = new Set(
        (await versionsOf(other)).flatMap(({ version, checkpoint }) => [version.handle, checkpoint.handle]),
      );
      for (const handle of handles) needed.set(handle, [...(needed.get(handle) ?? []), name]);
    } finally {
      await other.close();
    }
  }
  return { needed, unread: problems.map(({ id }) => id) };
}
