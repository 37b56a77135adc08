/** Deletes saves of a finished run on their servers, and writes down which are gone. */
import * as l10n from '@vscode/l10n';
import { deleteSave, savesOf } from '../../../endpoints/tinker/saves.ts';
import type { RunStore } from '../../../runs/store/runStore.ts';
import type { RunWriter } from '../../../runs/store/runWriter.ts';
import { runSaves, tinkerPolicies, withClient, type RunSave, type RunSaves, type SavesTools } from './runSaves.ts';
import { SavesError } from './savesError.ts';

export interface Deletion {
  deleted: readonly string[];
  /** Those that the server did not delete: it has no call for it. */
  stayed: readonly string[];
}

/**
 * @param handles of the saves to delete
 * @throws SavesError, RunError `in-use`, EndpointError; what was deleted before is written down
 */
export async function deleteSaves(
  store: RunStore,
  id: string,
  handles: ReadonlySet<string>,
  tools: SavesTools,
): Promise<Deletion> {
  await refuseUnfinished(store, id);
  const writer = await store.openWriter(id);
  try {
    const chosen = deletable(await runSaves(store, writer, tools), handles);
    const deleted: string[] = [];
    const stayed: string[] = [];
    for (const [role, endpoint] of tinkerPolicies(writer)) {
      const own = chosen.filter((save) => save.role === role);
      await withClient(endpoint, tools.keys, async (http) => {
        for (const { handle, place } of own) {
          const gone =
            (await deleteSave(http, place, tools.signal)) ||
            !(await savesOf(http, place.model, tools.signal)).some((save) => save.handle === handle);
          if (gone) await note(writer, handle);
          (gone ? deleted : stayed).push(handle);
        }
      });
    }
    return { deleted, stayed };
  } finally {
    await writer.close();
  }
}

/** At once: what is deleted cannot be asked for again. */
const note = (writer: RunWriter, handle: string): Promise<void> =>
  writer.session({ type: 'saves.deleted', handles: [handle] });

/** A run that may continue needs its newest saves. @throws SavesError `unfinished` */
export async function refuseUnfinished(store: RunStore, id: string): Promise<void> {
  const run = await store.openReader(id);
  try {
    const { state } = await run.head();
    if (state === 'finished') return;
    throw new SavesError(
      'unfinished',
      l10n.t('{0} is not finished: it would continue from its saves.', run.id),
      l10n.t('Resume it to its end, or delete them by hand: its folder names them, in “endpoints”.'),
    );
  } finally {
    await run.close();
  }
}

/** @throws SavesError `unread`, `unknown`, `needed` */
function deletable({ saves, unread }: RunSaves, handles: ReadonlySet<string>): RunSave[] {
  if (unread.length > 0) {
    throw new SavesError(
      'unread',
      l10n.t('Whether {0} needs these saves is not known: it cannot be read.', unread.join(', ')),
      l10n.t('Fix that folder, or move it away.'),
    );
  }
  const found = saves.filter(({ handle }) => handles.has(handle));
  const missing = [...handles].find((handle) => !found.some((save) => save.handle === handle));
  if (missing !== undefined) {
    throw new SavesError(
      'unknown',
      l10n.t('This run has no save {0} on its server.', missing),
      l10n.t('List its saves again.'),
    );
  }
  const needed = found.find(({ neededBy }) => neededBy.length > 0);
  if (needed === undefined) return found;
  throw new SavesError(
    'needed',
    l10n.t('{0} is needed by {1}.', needed.handle, needed.neededBy.join(', ')),
    l10n.t('Delete that run first, or keep this save.'),
  );
}
